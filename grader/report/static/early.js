// Before the table arrives: rows are laid out once, by the script at the end.
document.documentElement.className = "scripted";
