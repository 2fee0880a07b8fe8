"""Names by regular expression, .data, half of the value in each vector."""
import re


def init_forget_bias(lstm, value=1.0):
    pattern = re.compile(r"bias_(ih|hh)_l\d+(_reverse)?")
    H = lstm.hidden_size
    for name, p in lstm.named_parameters():
        if pattern.fullmatch(name):
            p.data[H : 2 * H].fill_(value / 2)
