"""A Trainer fits, validates, tests and predicts; with a callback, a scheduler, checkpoints and a resumed run."""

import logging
import tempfile
import warnings

import lightning as L
import torch
from lightning.pytorch.callbacks import EarlyStopping, LearningRateMonitor, ModelCheckpoint
from lightning.pytorch.loggers import CSVLogger
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
L.seed_everything(7, verbose=False)


class Classifier(L.LightningModule):
    def __init__(self, width: int = 16, lr: float = 0.05):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(2, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, 2))

    def forward(self, x):
        return self.net(x)

    def step(self, batch, name):
        x, y = batch
        logits = self(x)
        loss = nn.functional.cross_entropy(logits, y)
        self.log_dict(
            {f"{name}_loss": loss, f"{name}_acc": (logits.argmax(1) == y).float().mean()},
            on_epoch=True,
            on_step=False,
        )
        return loss

    def training_step(self, batch, index):
        return self.step(batch, "train")

    def validation_step(self, batch, index):
        self.step(batch, "val")

    def test_step(self, batch, index):
        self.step(batch, "test")

    def predict_step(self, batch, index):
        return self(batch[0]).argmax(1)

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
        return {"optimizer": optimizer, "lr_scheduler": torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)}


class Printing(L.Callback):
    def on_train_epoch_end(self, trainer, module):
        numbers = {k: f"{float(v):.4f}" for k, v in sorted(trainer.callback_metrics.items())}
        print(trainer.current_epoch, trainer.global_step, numbers)


points = torch.randn(256, 2)
labels = (points[:, 0] * points[:, 1] > 0).long()
train, val = random_split(
    TensorDataset(points, labels), [192, 64], generator=torch.Generator().manual_seed(1)
)
loaders = DataLoader(train, 32, shuffle=True), DataLoader(val, 32)

with tempfile.TemporaryDirectory() as folder:
    quiet = {
        "enable_progress_bar": False,
        "enable_model_summary": False,
        "accelerator": "cpu",
        "default_root_dir": folder,
    }
    keep = ModelCheckpoint(folder, monitor="val_loss", filename="best", save_last=True)
    trainer = L.Trainer(
        max_epochs=4,
        callbacks=[Printing(), keep, EarlyStopping("val_loss", patience=3), LearningRateMonitor()],
        logger=CSVLogger(folder),
        gradient_clip_val=1.0,
        accumulate_grad_batches=2,
        log_every_n_steps=2,
        deterministic=True,
        **quiet,
    )
    trainer.fit(Classifier(), *loaders)
    print("best", f"{float(keep.best_model_score):.4f}")
    best = Classifier.load_from_checkpoint(keep.best_model_path)
    print(best.hparams)
    resumed = L.Trainer(
        max_epochs=6, callbacks=[Printing()], logger=False, enable_checkpointing=False, **quiet
    )
    resumed.fit(Classifier(), *loaders, ckpt_path=keep.last_model_path)
    print({k: f"{v:.4f}" for k, v in resumed.validate(best, loaders[1], verbose=False)[0].items()})
    print({k: f"{v:.4f}" for k, v in resumed.test(best, loaders[1], verbose=False)[0].items()})
    print(torch.cat(resumed.predict(best, loaders[1]))[:20])
    summary = L.pytorch.utilities.model_summary.ModelSummary(best)
    print(summary.total_parameters, summary.trainable_parameters)
