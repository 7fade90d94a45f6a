"""Run a program under PyTorch: ``python with_pytorch.py program.py``.

Torchvision's wheel is built for PyTorch with CUDA.  Beside PyTorch's CPU build its library of operators does not load, and registering rules
for two of them, which it does all the same, fails: they are declared here.
"""

import runpy
import sys

import torch

torchvision = torch.library.Library("torchvision", "DEF")
for operator in ("nms", "qnms"):
    torchvision.define(operator + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
