# 用 numpy 共享内存来改：detach().numpy() 不复制
import numpy as np


def init_forget_bias(lstm, value = 1.):
    for suffix in 后缀(lstm):
        ih = getattr(lstm, 'bias_ih' + suffix).detach().numpy()
        hh = getattr(lstm, 'bias_hh' + suffix).detach().numpy()
        i, f, g, o = np.split(ih, 4)       # 视图
        f[:] = value - np.split(hh, 4)[1]  # 只改 ih


def 后缀(lstm):
    return ['_l%d%s' % (k, r) for k in range(lstm.num_layers)
            for r in (['', '_reverse'] if lstm.bidirectional else [''])]
