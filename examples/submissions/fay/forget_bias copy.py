import torch


@torch.no_grad()
def init_forget_bias(lstm, value=1.0):
    size = lstm.hidden_size
    for layer in range(lstm.num_layers):
        for end in ([""] if not lstm.bidirectional else ["", "_reverse"]):
            getattr(lstm, f"bias_ih_l{layer}{end}")[size:2 * size].fill_(value)
            getattr(lstm, f"bias_hh_l{layer}{end}")[size:2 * size].zero_()
