"""A classifier of made-up digits, written as such programs were in 2017."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.autograd import Variable

torch.manual_seed(1)

centres = torch.FloatTensor(10, 64).normal_() * 2


def batches(count, size):
    for _ in range(count):
        target = torch.LongTensor(size).random_(0, 10)
        yield centres[target] + torch.FloatTensor(size, 64).normal_(), target


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.fc1 = nn.Linear(64, 50)
        self.fc2 = nn.Linear(50, 10)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.dropout(x, training=self.training)
        return F.log_softmax(self.fc2(x), 1)


model = Net()
optimizer = optim.SGD(model.parameters(), lr=0.05, momentum=0.5)


def train(epoch):
    model.train()
    for batch_idx, (data, target) in enumerate(batches(20, 64)):
        data, target = Variable(data), Variable(target)
        optimizer.zero_grad()
        output = model(data)
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()
        if batch_idx % 10 == 0:
            print("Train Epoch: {} [{}]\tLoss: {:.6f}".format(epoch, batch_idx, loss.data[0]))


def test():
    model.eval()
    test_loss = 0
    correct = 0
    total = 0
    for data, target in batches(5, 100):
        data, target = Variable(data, volatile=True), Variable(target)
        output = model(data)
        assert output.volatile and not output.requires_grad and output.creator is None
        test_loss += F.nll_loss(output, target, size_average=False).data[0]
        pred = output.data.max(1)[1]
        correct += pred.eq(target.data).cpu().sum()
        total += target.size(0)
    print("Test set: Average loss: {:.4f}, Accuracy: {}/{}".format(test_loss / total, correct, total))
    assert isinstance(test_loss, float)
    return 100.0 * correct / total


for epoch in range(1, 4):
    train(epoch)
    accuracy = test()
assert accuracy > 95, accuracy
print("done")
