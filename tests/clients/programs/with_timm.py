"""Models of timm by name, their features, its optimizers, schedulers, losses, mixup and running averages."""

import timm
import torch
from timm.data import Mixup
from timm.loss import LabelSmoothingCrossEntropy, SoftTargetCrossEntropy
from timm.optim import create_optimizer_v2
from timm.scheduler import CosineLRScheduler
from timm.utils import ModelEmaV3, accuracy

torch.manual_seed(0)
images = torch.randn(2, 3, 64, 64)
for name, options in (
    ("resnet18", {}),
    ("mobilenetv3_small_050", {}),
    ("efficientnet_lite0", {}),
    ("convnext_atto", {}),
    ("vit_tiny_patch16_224", {"img_size": 64}),
):
    torch.manual_seed(1)
    model = timm.create_model(name, pretrained=False, num_classes=5, **options).eval()
    with torch.no_grad():
        out = model(images)
    print(name, sum(p.numel() for p in model.parameters()), out.shape, [f"{v:.3f}" for v in out[0].tolist()])

features = timm.create_model("resnet10t", pretrained=False, features_only=True).eval()
print([tuple(f.shape) for f in features(images)], features.feature_info.channels())

torch.manual_seed(2)
model = timm.create_model("resnet10t", pretrained=False, num_classes=5, drop_rate=0.1)
optimizer = create_optimizer_v2(model, opt="adamw", lr=1e-3, weight_decay=0.05)
schedule = CosineLRScheduler(optimizer, t_initial=4, warmup_t=1, warmup_lr_init=1e-4)
average = ModelEmaV3(model, decay=0.9)
labels = torch.tensor([1, 3])
for epoch in range(3):
    schedule.step(epoch)
    loss = LabelSmoothingCrossEntropy(0.1)(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    average.update(model)
    print(epoch, f"{loss.item():.3f}", f"{optimizer.param_groups[0]['lr']:.6f}")
import numpy as np

np.random.seed(0)
mixed, targets = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, num_classes=5)(images.clone(), labels)
print(mixed.shape, targets, f"{SoftTargetCrossEntropy()(torch.zeros(2, 5), targets).item():.5f}")
print(accuracy(torch.linspace(0, 9, 10).view(2, 5).sin(), labels, topk=(1, 2)))
