"""Linear regression by gradients, as in the first tutorials: the points lie on y = 2 x + 1."""

import torch
from torch.autograd import Variable

x = torch.arange(0, 4).view(4, 1)
y = x * 2 + 1
print(x)
print(y.sum(), y.mean(), y[3][0])

model = torch.nn.Linear(1, 1)
model.weight.data.fill_(0)
model.bias.data.fill_(0)
criterion = torch.nn.MSELoss(size_average=False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for step in range(3):
    predicted = model(Variable(x))
    loss = criterion(predicted, Variable(y))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("step {}, loss {:.4f}".format(step, loss.data[0]))
print(loss)
print(model.weight)
print("{:.4f}".format(model.bias.grad.data[0]))
