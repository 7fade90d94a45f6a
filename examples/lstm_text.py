"""An LSTM that reads Python's language reference, letter by letter, and shows where it is surprised.

The text is what ``help("if")`` and its kin print: the module ``pydoc_data.topics``, which comes with every Python.  The state of the LSTM is carried
from one piece of text to the next, and gradients go back through one piece only (truncated backpropagation through time).

    python examples/lstm_text.py

takes a minute or two.  It writes some text of its own, and then shows a sentence with the surprise, in bits, at each of its letters.
"""

import argparse
import math
from pydoc_data.topics import topics

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn

try:
    from tqdm.auto import tqdm
except ImportError:  # the progress bar comes with pip install 'minigrad-numpy[examples]'

    def tqdm(steps, **_):
        return steps


SENTENCE = "The return statement leaves the current function call. The banana statement too."


class Reader(nn.Module):
    """Scores for the next letter, at each letter: (length, batch) -> (length, batch, letters), and the state after it."""

    def __init__(self, letters, width, layers):
        super().__init__()
        self.embedding = nn.Embedding(letters, 32)
        self.lstm = nn.LSTM(32, width, layers, dropout=0.1 if layers > 1 else 0.0)
        self.head = nn.Linear(width, letters)

    def forward(self, x, state=None):
        x, state = self.lstm(self.embedding(x), state)
        return self.head(x), state


def train(model, text, steps, batch, length):
    """Read the text in ``batch`` places at once, ``length`` letters in each step; returns the loss of every step."""
    columns = text[: len(text) // batch * batch].reshape(batch, -1).t()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    schedule = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=steps, power=1.0)
    state, start, losses = None, 0, []
    model.train()
    progress = tqdm(range(steps), desc="training", unit="step")
    for _ in progress:
        if start + length >= len(columns):
            state, start = None, 0
        x, y = columns[start : start + length], columns[start + 1 : start + length + 1]
        start += length
        if state is not None:
            state = tuple(part.detach() for part in state)  # the past is remembered, and not differentiated
        scores, state = model(x, state)
        loss = F.cross_entropy(scores.flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if len(losses) % 20 == 0 and hasattr(progress, "set_postfix"):
            progress.set_postfix(bits=f"{losses[-1] / math.log(2):.2f}")
    return losses


@torch.no_grad()
def surprises(model, text):
    """Bits for each letter of a text (length,) but the first."""
    model.eval()
    scores, _ = model(text[:-1].unsqueeze(1))
    return F.cross_entropy(scores[:, 0], text[1:], reduction="none") / math.log(2)


@torch.no_grad()
def write(model, start, count, temperature):
    """The numbers of ``count`` letters that follow ``start`` (length,), drawn by their probabilities."""
    model.eval()
    scores, state = model(start.unsqueeze(1))
    written = []
    for _ in range(count):
        drawn = torch.multinomial(torch.softmax(scores[-1] / temperature, dim=1), 1)
        written.append(drawn.item())
        scores, state = model(drawn, state)
    return written


def show(sentence, bits):
    """The sentence, with a bar above each letter: the higher, the more surprising."""
    heights = [0, *(min(8, round(b)) for b in bits)]
    for level in range(8, 0, -1):
        print(f"{level:3} |" + "".join("#" if height >= level else " " for height in heights).rstrip())
    print("    |" + sentence)


def main():
    parser = argparse.ArgumentParser(description="Train an LSTM on Python's language reference.")
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--prompt", default="The ")
    parser.add_argument("--temperature", type=float, default=0.6)
    parser.add_argument(
        "--quick", action="store_true", help="a short run that only shows that everything works"
    )
    options = parser.parse_args()

    torch.manual_seed(0)
    text = "\n".join(
        " ".join(line.split()) for _, topic in sorted(topics.items()) for line in topic.splitlines()
    )
    text = "".join(letter for letter in text if letter.isascii())
    alphabet = sorted(set(text) | set(options.prompt) | set(SENTENCE))
    number = {letter: k for k, letter in enumerate(alphabet)}

    def numbers(letters):
        return torch.tensor([number[letter] for letter in letters])

    width, layers, steps = (96, 1, 200) if options.quick else (192, 2, options.steps)
    model = Reader(len(alphabet), width, layers)
    print(model)
    print(
        f"{len(text):,} letters, {len(alphabet)} different; {sum(p.numel() for p in model.parameters()):,} parameters"
    )
    held_out = numbers(text[-5000:])
    before = surprises(model, held_out).mean().item()
    train(model, numbers(text[:-5000]), steps, batch=32, length=50)
    after = surprises(model, held_out).mean().item()
    print(f"\nbits for each held-out letter: {before:.2f} before, {after:.2f} after")

    written = write(model, numbers(options.prompt), 200 if options.quick else 600, options.temperature)
    print(f"\nIt writes:\n\n{options.prompt}{''.join(alphabet[k] for k in written)}\n")
    print("Its surprise, in bits, at each letter:\n")
    show(SENTENCE, surprises(model, numbers(SENTENCE)).tolist())
    if after > (0.7 if options.quick else 0.45) * before:
        raise SystemExit("the model has learnt too little")


if __name__ == "__main__":
    main()
