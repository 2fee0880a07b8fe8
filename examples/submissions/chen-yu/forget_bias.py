# -*- coding: gbk -*-
import torch


def init_forget_bias(lstm, value=1.0):
    """把每一层、每个方向的遗忘门偏置设为 value。"""
    h = lstm.hidden_size
    with torch.no_grad():
        for 名字, 参数 in lstm.named_parameters():
            if 名字.startswith("bias_ih"):
                参数[h:2 * h].fill_(value)
            elif 名字.startswith("bias_hh"):
                参数[h:2 * h].zero_()
