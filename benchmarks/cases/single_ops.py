"""What making one op costs on 4 elements, when nothing is recorded and when it is."""

from benchmarks.registry import Subject

plain = Subject("Single ops on 4 elements, nothing recorded")
recorded = Subject("Single ops on 4 elements, recorded")

#: Each is timed as written; x and y are positive vectors of 4 elements, m a 2 x 2 matrix, b a batch of such.
EXPRESSIONS = (
    "x + y",
    "x - y",
    "x * y",
    "x / y",
    "x + 1.5",
    "x * 1.5",
    "1 - x",
    "x ** 2",
    "-x",
    "x.exp()",
    "x.log()",
    "x.sqrt()",
    "x.tanh()",
    "x.sigmoid()",
    "x.relu()",
    "x.abs()",
    "x.clamp(0.2, 0.6)",
    "torch.maximum(x, y)",
    "torch.where(chosen, x, y)",
    "x.sum()",
    "x.mean()",
    "m.sum(1)",
    "m.max(1).values",
    "x @ y",
    "m @ m",
    "b @ b",
    "m.t()",
    "m.transpose(0, 1)",
    "x.view(2, 2)",
    "x.reshape(2, 2)",
    "x.unsqueeze(0)",
    "x[0]",
    "x[1:3]",
    "x[index]",
    "torch.cat((x, y))",
    "torch.stack((x, y))",
    "m.softmax(1)",
    "torch.nn.functional.linear(m, m, bias)",
    "x.detach()",
    "x.clone()",
)


def operands(torch, requires_grad):
    """The names that the expressions use, and their values."""
    x = torch.tensor([0.1, 0.3, 0.5, 0.7], requires_grad=requires_grad)
    y = torch.tensor([0.8, 0.6, 0.4, 0.2], requires_grad=requires_grad)
    m = torch.tensor([[0.1, 0.3], [0.7, 0.5]], requires_grad=requires_grad)
    b = torch.tensor([[[0.1, 0.3], [0.7, 0.5]]], requires_grad=requires_grad)
    bias = torch.tensor([0.1, 0.2], requires_grad=requires_grad)
    chosen = torch.tensor([True, False, True, False])
    index = torch.tensor([2, 0])
    return {"torch": torch, "x": x, "y": y, "m": m, "b": b, "bias": bias, "chosen": chosen, "index": index}


def expression(source, requires_grad):
    """The setup function of the benchmark that evaluates ``source``."""

    def setup(torch):
        return eval(f"lambda: {source}", operands(torch, requires_grad))

    return setup


for source in EXPRESSIONS:
    plain.timed(source)(expression(source, requires_grad=False))
    recorded.timed(source)(expression(source, requires_grad=True))
