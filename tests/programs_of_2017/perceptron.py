"""A classifier of synthetic digits, in the form of PyTorch's example of the time: loaders, train() and test(), accuracy from sums of bytes."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
target = torch.LongTensor([k % 4 for k in range(64)])
data = torch.zeros(64, 8)
for k in range(64):
    data[k][target[k]] = 1
    data[k][7] = k / 64.0
print(data[5])
loader = DataLoader(TensorDataset(data, target), batch_size=16, shuffle=True)


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.fc1 = nn.Linear(8, 16)
        self.fc2 = nn.Linear(16, 4)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.dropout(x, p=0.1, training=self.training)
        return F.log_softmax(self.fc2(x))


model = Net()
optimizer = optim.SGD(model.parameters(), lr=0.3, momentum=0.9)


def train():
    model.train()
    losses = []
    for batch, label in loader:
        batch, label = Variable(batch), Variable(label)
        optimizer.zero_grad()
        loss = F.nll_loss(model(batch), label)
        loss.backward()
        optimizer.step()
        losses.append(loss.data[0])
    return sum(losses)


def test():
    model.eval()
    test_loss, correct = 0, 0
    for batch, label in loader:
        batch, label = Variable(batch, volatile=True), Variable(label)
        output = model(batch)
        test_loss += F.nll_loss(output, label, size_average=False).data[0]
        pred = output.data.max(1, keepdim=True)[1]
        correct += pred.eq(label.data.view_as(pred)).cpu().sum()
    return test_loss / 64, correct


first = train()
for epoch in range(20):
    last = train()
average, correct = test()
print(type(first).__name__, type(correct).__name__, last < first, average < 0.5)
print("Accuracy: {}/{} ({:.0f}%)".format(correct, 64, 100.0 * correct / 64))
print(Variable(target[:3]) == Variable(torch.LongTensor([0, 1, 1])))
