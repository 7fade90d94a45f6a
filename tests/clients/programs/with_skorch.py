"""A network as an estimator of scikit-learn: in a pipeline, under cross-validation and grid search."""

import numpy as np
import torch
from sklearn.datasets import make_classification, make_regression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skorch import NeuralNetClassifier, NeuralNetRegressor
from skorch.callbacks import EpochScoring, GradientNormClipping, LRScheduler
from torch import nn

X, y = make_classification(200, 12, n_informative=6, random_state=0)
X, y = X.astype(np.float32), y.astype(np.int64)


class Net(nn.Module):
    def __init__(self, width=10, drop=0.2):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(12, width), nn.ReLU(), nn.Dropout(drop), nn.Linear(width, 2), nn.Softmax(dim=-1)
        )

    def forward(self, X):
        return self.layers(X)


def classifier(**options):
    torch.manual_seed(0)
    return NeuralNetClassifier(Net, max_epochs=5, lr=0.1, batch_size=32, verbose=0, **options)


net = classifier(
    callbacks=[
        EpochScoring("roc_auc", lower_is_better=False),
        LRScheduler(policy="StepLR", step_size=2, gamma=0.5),
        GradientNormClipping(1.0),
    ],
    optimizer=torch.optim.Adam,
    optimizer__weight_decay=1e-3,
)
net.fit(X, y)
for row in net.history:
    print(
        row["epoch"],
        f"{row['train_loss']:.4f} {row['valid_loss']:.4f} {row['valid_acc']:.4f} {row['roc_auc']:.4f}",
    )
print(net.predict(X[:10]), [f"{p:.3f}" for p in net.predict_proba(X[:4])[:, 1]])
torch.manual_seed(0)
print([f"{s:.3f}" for s in cross_val_score(make_pipeline(StandardScaler(), classifier()), X, y, cv=3)])
search = GridSearchCV(
    classifier(train_split=False), {"lr": [0.05, 0.2], "module__width": [4, 8]}, cv=2, scoring="accuracy"
)
torch.manual_seed(0)
search.fit(X, y)
print(search.best_params_, f"{search.best_score_:.3f}")
net.save_params(f_params="skorch_params.pt", f_optimizer="skorch_optimizer.pt")
other = classifier(optimizer=torch.optim.Adam, optimizer__weight_decay=1e-3).initialize()
other.load_params(f_params="skorch_params.pt", f_optimizer="skorch_optimizer.pt")
print(np.array_equal(net.predict(X), other.predict(X)))
A, b = make_regression(100, 12, random_state=0)
torch.manual_seed(0)
regressor = NeuralNetRegressor(
    nn.Linear,
    module__in_features=12,
    module__out_features=1,
    max_epochs=4,
    lr=0.01,
    verbose=0,
    train_split=None,
)
regressor.fit(A.astype(np.float32), b.astype(np.float32)[:, None] / 100)
print([f"{loss:.4f}" for loss in regressor.history[:, "train_loss"]])
