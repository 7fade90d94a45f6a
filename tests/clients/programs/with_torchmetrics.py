"""Metrics over batches: classification, regression, aggregation, collections, retrieval."""

import torch
import torchmetrics
from torchmetrics import MetricCollection
from torchmetrics.classification import (
    BinaryAUROC,
    BinaryCalibrationError,
    MulticlassAccuracy,
    MulticlassConfusionMatrix,
    MulticlassF1Score,
    MulticlassPrecision,
    MulticlassRecall,
    MultilabelAveragePrecision,
)
from torchmetrics.functional.retrieval import retrieval_normalized_dcg
from torchmetrics.regression import MeanSquaredError, PearsonCorrCoef, R2Score, SpearmanCorrCoef

torch.manual_seed(0)
metrics = MetricCollection(
    {
        "accuracy": MulticlassAccuracy(num_classes=4),
        "micro": MulticlassAccuracy(num_classes=4, average="micro"),
        "f1": MulticlassF1Score(num_classes=4),
        "precision": MulticlassPrecision(num_classes=4, average=None),
        "recall": MulticlassRecall(num_classes=4, average="weighted"),
        "confusion": MulticlassConfusionMatrix(num_classes=4),
    }
)
for _ in range(4):
    logits, labels = torch.randn(32, 4), torch.randint(4, (32,))
    print({k: v.tolist() for k, v in metrics(logits.softmax(-1), labels).items() if v.ndim == 0})
for name, value in metrics.compute().items():
    print(name, value)
scores, truth = torch.rand(64), torch.randint(2, (64,))
for metric in (BinaryAUROC(), BinaryCalibrationError(n_bins=5), torchmetrics.AveragePrecision(task="binary")):
    print(type(metric).__name__, metric(scores, truth))
print(MultilabelAveragePrecision(num_labels=3)(torch.rand(20, 3), torch.randint(2, (20, 3))))
x = torch.randn(50)
y = 0.8 * x + 0.3 * torch.randn(50)
for metric in (MeanSquaredError(), R2Score(), PearsonCorrCoef(), SpearmanCorrCoef()):
    metric.update(y[:25], x[:25])
    metric.update(y[25:], x[25:])
    print(type(metric).__name__, metric.compute())
mean = torchmetrics.MeanMetric()
for value in (1.0, 2.0, torch.tensor([3.0, 4.0])):
    mean.update(value)
print(mean.compute(), mean)
print(torchmetrics.functional.pairwise_cosine_similarity(torch.randn(3, 4), torch.randn(2, 4)))
print(
    torchmetrics.functional.image.peak_signal_noise_ratio(
        torch.rand(2, 3, 8, 8), torch.rand(2, 3, 8, 8), data_range=1.0
    )
)
print(
    torchmetrics.functional.image.structural_similarity_index_measure(
        torch.rand(2, 3, 16, 16), torch.rand(2, 3, 16, 16), data_range=1.0
    )
)
print(retrieval_normalized_dcg(torch.rand(6), torch.tensor([0, 1, 0, 1, 1, 0])))
