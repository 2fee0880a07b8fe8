def init_forget_bias(lstm, value=1.0):
    raise NotImplementedError
