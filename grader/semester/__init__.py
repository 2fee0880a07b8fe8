"""What happens after release day: people, dates, corrections, handing back."""
