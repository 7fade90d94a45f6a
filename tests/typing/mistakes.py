"""Mistakes, for type checkers: each line that ends in ``# wrong`` has to be reported, and no other.  Nothing runs this."""

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import Tensor, nn, optim
from minigrad.utils.data import DataLoader, TensorDataset

x = torch.ones(2, 3)
model = nn.Linear(3, 2)

# Names that are not there.
torch.nothing(x)  # wrong
x.nothing()  # wrong
F.nothing(x)  # wrong
nn.Linaer(3, 2)  # wrong
nn.init.xavier(x)  # wrong
optim.Adma(model.parameters())  # wrong
optim.lr_scheduler.StepLearningRate  # wrong
torch.linalg.nothing(x)  # wrong
torch.special.nothing(x)  # wrong
torch.fft.nothing(x)  # wrong
torch.autograd.nothing(x)  # wrong
torch.func.nothing(x)  # wrong
torch.distributions.Nothing(0.0, 1.0)  # wrong
torch.utils.data.Nothing  # wrong
torch.cuda.is_availabel()  # wrong
torch.backends.nothing  # wrong
torch.backends.cudnn.nothing  # wrong

# Arguments of other types, too few, too many.
nn.Linear("a", 2)  # wrong
nn.Linear(3)  # wrong
nn.Linear(3, 2, wrong=True)  # wrong
nn.Conv2d(1, 2, "3")  # wrong
nn.Dropout(p="half")  # wrong
nn.Sequential(3)  # wrong
nn.Embedding(10.5, 3)  # wrong
nn.CrossEntropyLoss(label_smoothing="0.1")  # wrong
optim.Adam(3)  # wrong
optim.SGD(model.parameters(), lr="fast")  # wrong
optim.lr_scheduler.StepLR(model, step_size=1)  # wrong
torch.cat(x, dim="0")  # wrong
torch.zeros(2, dtype="float32")  # wrong
torch.manual_seed("0")  # wrong
torch.softmax(x, dim="last")  # wrong
torch.exp([1.0])  # wrong
x.sum(keepdim="yes")  # wrong
x.transpose(0)  # wrong
F.cross_entropy(x)  # wrong
F.dropout(x, p="half")  # wrong
F.relu(x, inplace="no")  # wrong
F.conv2d(x, model.weight, stride="2")  # wrong
DataLoader(TensorDataset(x), batch_size="2")  # wrong
torch.distributions.Normal("0", 1.0)  # wrong

# Results that are something else.
number: int = x + 1  # wrong
text: str = F.mse_loss(x, x)  # wrong
tensors: list[Tensor] = x.shape  # wrong
width: str = x.size(0)  # wrong
