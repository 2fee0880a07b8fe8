"""中文命名的打分器类，每种打分一个子类，登记在表里。"""

import math

import torch

登记表 = {}


class 打分器:
    def __init_subclass__(cls, 名称):
        登记表[名称] = cls

    def __init__(self, **参数):
        self.__dict__.update(参数)


class 加性(打分器, 名称="additive"):
    def 打分(self, 查询, 键):
        隐藏 = 键 @ self.w1.T + (查询 @ self.w2.T).unsqueeze(1)
        return 隐藏.tanh() @ self.v


class 点积(打分器, 名称="dot"):
    def 打分(self, 查询, 键):
        return torch.matmul(键, 查询.unsqueeze(2)).squeeze(2)


class 一般(打分器, 名称="general"):
    def 打分(self, 查询, 键):
        return 点积().打分(查询 @ self.w, 键)


class 缩放点积(点积, 名称="scaled_dot"):
    def 打分(self, 查询, 键):
        return super().打分(查询, 键) / math.sqrt(键.size(2))


def additive_score(query, keys, w1, w2, v):
    return 加性(w1=w1, w2=w2, v=v).打分(query, keys)


def dot_score(query, keys):
    return 点积().打分(query, keys)


def general_score(query, keys, w):
    return 一般(w=w).打分(query, keys)


def scaled_dot_score(query, keys):
    return 缩放点积().打分(query, keys)


def attend(kind, query, keys, **weights):
    try:
        类 = 登记表[kind]
    except KeyError:
        raise ValueError(f"没有这种打分：{kind}") from None
    分数 = 类(**weights).打分(query, keys)
    权重 = torch.exp(torch.log_softmax(分数, -1))
    return (权重[..., None] * keys).sum(1), 权重
