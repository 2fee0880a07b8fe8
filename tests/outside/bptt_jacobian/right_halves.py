"""The product by halves, the Jacobians of all steps at once; Chinese names."""

import torch


def rescale_to_radius(w, radius):
    特征值 = torch.linalg.eigvals(w)
    谱半径 = torch.sqrt(特征值.real**2 + 特征值.imag**2).max()
    return (radius / 谱半径) * w


def rnn_states(w, x):
    状态 = torch.zeros_like(x)
    for k in range(len(x)):
        前一个 = 状态[k - 1] if k else torch.zeros_like(x[0])
        状态[k] = torch.tanh(w @ 前一个 + x[k])
    return 状态


def step_jacobian(h, w):
    return torch.einsum("i,ij->ij", (1 - h) * (1 + h), w)


def jacobian_product(states, w):
    def 乘积(矩阵):
        if len(矩阵) == 1:
            return 矩阵[0]
        中 = len(矩阵) // 2
        return 乘积(矩阵[中:]) @ 乘积(矩阵[:中])

    return 乘积((1 - states**2)[:, :, None] * w)


def summarise(norms):
    有序 = norms.sort().values
    n = len(有序)
    中位数 = (有序[(n - 1) // 2] + 有序[n // 2]) / 2
    return {
        "median": float(中位数),
        "min": float(有序[0]),
        "max": float(有序[-1]),
        "exploded": float((norms > 1000).sum()) / n,
        "vanished": float((norms < 0.001).sum()) / n,
    }
