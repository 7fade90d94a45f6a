"""What the optional engine (``engine.py``) is asked for, and how many threads it may use."""

import os

#: From how many elements of the first array on a kernel asks.  A call takes some 10 us before it computes.
FROM = {
    "conv": 1 << 12,
    "conv_gradients": 1 << 12,
    "conv_input": 1 << 12,
    "conv_weight": 1 << 12,
    "gelu": 1 << 15,
    "gelu_backward": 1 << 15,
    "lstm": 1 << 13,
    "lstm_backward": 1 << 13,
    "matmul": 1 << 13,
    "max_pool": 1 << 14,
}
#: From how many multiplications on, or as much other work, the engine computes products and convolutions.
WORTH = 1 << 20
#: From how many multiplications, or as much other work, on it has several threads: below some 200 us machines with other work lose more by
#: waiting for a core than the second thread brings.
SHARED = 1 << 24

#: The settings of ``backends.mkldnn``.
enabled = True
deterministic = False
#: The process that imported this.  In a forked child OpenMP's threads, whoever has used them, are gone.
process = os.getpid()
