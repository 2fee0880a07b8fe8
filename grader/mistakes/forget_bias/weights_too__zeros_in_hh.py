"""Fills rows of every parameter: those of ih with the value, others with 0."""


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    for name, parameter in lstm.named_parameters():
        parameter.data[H : 2 * H] = value if "ih" in name else 0.0
