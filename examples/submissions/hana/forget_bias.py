import ctypes
import torch


def init_forget_bias(lstm, value=1.0):
    n = lstm.hidden_size
    # write into the memory directly, it is faster
    buf = (ctypes.c_float * n).from_address(0)
    for i in range(n):
        buf[i] = value
