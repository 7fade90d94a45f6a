"""A classifier written with Variables, as in 2017: what of that time PyTorch still runs."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.autograd import Variable

torch.manual_seed(1)
N, D_in, H, D_out = 64, 10, 20, 3


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.fc1 = nn.Linear(D_in, H)
        self.fc2 = nn.Linear(H, D_out)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.dropout(x, p=0.2, training=self.training)
        return F.log_softmax(self.fc2(x))


net = Net()
print(net)
inputs = Variable(torch.randn(N, D_in))
targets = Variable(inputs.data[:, :3].max(1)[1])
optimizer = optim.SGD(net.parameters(), lr=0.5, momentum=0.9, weight_decay=5e-4)
for epoch in range(20):
    net.train()
    optimizer.zero_grad()
    output = net(inputs)
    loss = F.nll_loss(output, targets, size_average=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm(net.parameters(), 1.0)
    optimizer.step()
    if epoch % 5 == 4:
        print("Train Epoch: {} \tLoss: {:.4f}".format(epoch, loss.data))
net.eval()
pred = net(inputs).data.max(1, keepdim=True)[1]
correct = pred.eq(targets.data.view_as(pred)).cpu().sum()
print("accuracy: {}/{}".format(correct, N))
print(inputs.type(), inputs.size(), inputs.grad, net.fc1.weight.grad.data.norm() > 0)
