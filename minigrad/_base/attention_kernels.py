"""Which kernels attention may use: ``nn.attention.sdpa_kernel`` and ``backends.cuda`` change it.

Here there are two: the fused one ("flash") and the formula ("math").
"""

enabled = {"cudnn": True, "flash": True, "mem_efficient": True, "math": True, "overrideable": True}
#: The order in which they are asked for, by the numbers of ``nn.attention.SDPBackend``.
priority = [1, 2, 0, 3, 4]
