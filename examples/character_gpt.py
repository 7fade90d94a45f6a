"""A small GPT that learns to write Python's documentation, letter by letter.

It reads the documentation strings of the standard library, which come with every Python, and then writes some of its own.  The model is the usual
decoder: causal attention, layer norms before each part, GELU, weights shared by the first and the last layer; AdamW, a warm-up and a cosine schedule.

    python examples/character_gpt.py

takes some minutes, and prints what it would write along the way; ``--steps 3000`` writes better.
"""

import argparse
import importlib
import inspect
import math

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR

try:
    from tqdm.auto import tqdm
except ImportError:  # the progress bar comes with pip install 'minigrad-numpy[examples]'

    def tqdm(steps, **_):
        return steps


MODULES = """abc argparse array ast asyncio base64 bisect builtins calendar codecs collections concurrent.futures configparser contextlib copy csv
    dataclasses datetime decimal difflib email.message enum fractions functools glob gzip heapq hashlib html http.client http.server inspect io
    ipaddress itertools json keyword locale logging math mailbox mimetypes multiprocessing numbers operator os pathlib pdb pickle platform
    pprint queue random re sched secrets selectors shelve shlex shutil signal smtplib socket socketserver sqlite3 ssl statistics string struct
    subprocess symtable tarfile tempfile textwrap threading timeit tokenize trace traceback turtle types typing unittest urllib.parse
    urllib.request uuid warnings weakref xml.dom.minidom xml.etree.ElementTree zipfile"""


def documentation():
    """The documentation strings of modules, their classes, functions and methods, each once."""
    found = {}
    for name in MODULES.split():
        try:
            module = importlib.import_module(name)
        except ImportError:  # some systems come without one or the other
            continue
        for thing in (module, *vars(module).values()):
            members = vars(thing).values() if inspect.isclass(thing) else ()
            for each in (thing, *members):
                if inspect.ismodule(thing) and thing is not module:
                    continue
                if inspect.isroutine(each) or inspect.isclass(each) or each is module:
                    text = inspect.getdoc(each)
                    if text and text.isascii() and len(text) > 60:
                        found[text] = None
    return "\n\n".join(found)


class Attention(nn.Module):
    """Each letter asks those before it, in several heads: (batch, length, width) -> the same."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.queries_keys_values = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.queries_keys_values(x).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        x = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(x.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    """Attention, then a perceptron for each letter; both add to what they were given."""

    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.attention = nn.LayerNorm(width), Attention(width, heads)
        self.norm2 = nn.LayerNorm(width)
        self.perceptron = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.perceptron(self.norm2(x))


class GPT(nn.Module):
    """Scores for the next letter, at each letter: (batch, length) -> (batch, length, letters)."""

    def __init__(self, letters, context, depth, width, heads):
        super().__init__()
        self.context = context
        self.letters, self.places = nn.Embedding(letters, width), nn.Embedding(context, width)
        self.blocks = nn.Sequential(*[Block(width, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, letters, bias=False)
        self.apply(self.initialise)
        for name, p in self.named_parameters():
            if name.endswith(("out.weight", "perceptron.2.weight")):  # what is added up, 2 x depth times
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * depth))
        self.head.weight = self.letters.weight

    def initialise(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, x):
        x = self.letters(x) + self.places(torch.arange(x.shape[1]))
        return self.head(self.norm(self.blocks(x)))

    @torch.no_grad()
    def write(self, start, count, temperature):
        """``count`` letters that follow ``start`` (length,), drawn by their probabilities."""
        written = start
        for _ in range(count):
            scores = self(written[-self.context :].unsqueeze(0))[0, -1]
            drawn = torch.multinomial(torch.softmax(scores / temperature, 0), 1)
            written = torch.cat([written, drawn])
        return written


def groups(model, decay):
    """Parameters for the optimizer: matrices decay, biases and norms do not."""
    parameters = list(model.parameters())
    return [
        {"params": [p for p in parameters if p.dim() > 1], "weight_decay": decay},
        {"params": [p for p in parameters if p.dim() <= 1], "weight_decay": 0.0},
    ]


def loss_of(model, windows):
    """The mean cross entropy of the next letters, in nats; windows (batch, context + 1)."""
    return F.cross_entropy(model(windows[:, :-1]).flatten(0, 1), windows[:, 1:].flatten())


@torch.no_grad()
def held_out_loss(model, text, count=32):
    """The loss on windows spread over the held-out text."""
    windows = text.unfold(0, model.context + 1, 1)
    return loss_of(model, windows[:: len(windows) // count]).item()


def main():
    parser = argparse.ArgumentParser(description="Train a small GPT on Python's documentation strings.")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--prompt", default="Return ")
    parser.add_argument("--temperature", type=float, default=0.8)
    parser.add_argument(
        "--quick", action="store_true", help="a short run that only shows that everything works"
    )
    options = parser.parse_args()
    steps = 80 if options.quick else options.steps
    shape = (
        {"context": 32, "depth": 2, "width": 64}
        if options.quick
        else {"context": 96, "depth": 4, "width": 128}
    )

    torch.manual_seed(0)
    text = documentation()
    alphabet = sorted(set(text) | set(options.prompt))
    number = {letter: k for k, letter in enumerate(alphabet)}
    letters = torch.tensor([number[letter] for letter in text])
    train, held_out = letters[: len(letters) * 9 // 10], letters[len(letters) * 9 // 10 :]
    model = GPT(len(alphabet), heads=4, **shape)
    print(
        f"{len(text):,} letters, {len(alphabet)} different; {sum(p.numel() for p in model.parameters()):,} parameters"
    )

    def sample(count):
        written = model.write(torch.tensor([number[c] for c in options.prompt]), count, options.temperature)
        return "".join(alphabet[k] for k in written.tolist())

    warmup = steps // 20
    optimizer = torch.optim.AdamW(groups(model, decay=0.1), lr=3e-3, betas=(0.9, 0.98))
    schedule = SequentialLR(
        optimizer,
        [
            LinearLR(optimizer, start_factor=0.1, total_iters=warmup),
            CosineAnnealingLR(optimizer, T_max=steps - warmup, eta_min=3e-4),
        ],
        milestones=[warmup],
    )
    windows = train.unfold(0, model.context + 1, 1)
    before = held_out_loss(model, held_out)
    progress = tqdm(range(1, steps + 1), desc="training", unit="step")
    for step in progress:
        loss = loss_of(model, windows[torch.randint(len(windows), (16,))])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 20 == 0 and hasattr(progress, "set_postfix"):
            progress.set_postfix(loss=f"{loss.item():.3f}", rate=f"{schedule.get_last_lr()[0]:.1e}")
        if step % max(1, steps // 4) == 0 and step < steps:
            print(f"\n--- after {step} steps\n{sample(120)}\n")

    after = held_out_loss(model, held_out)
    print(
        f"\nbits for each held-out letter: {before / math.log(2):.2f} before, {after / math.log(2):.2f} after"
    )
    print(f"--- after {steps} steps\n{sample(200 if options.quick else 800)}")
    if after > (0.75 if options.quick else 0.5) * before:
        raise SystemExit("the model has learnt too little")


if __name__ == "__main__":
    main()
