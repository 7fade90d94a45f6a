"""Whole training runs, each written once for whichever library it is given as ``torch``.

A program is a generator: it seeds, makes its data and its model, takes ``STEPS`` steps, and yields the loss of each (the GAN both losses), and
last a loss in evaluation mode.  Every random number comes from the library's own generator: data, initial parameters, batches, dropout, noise.
"""

import math

STEPS = 50

#: What the language models read (Thomas Gray, 1751).
VERSE = """The curfew tolls the knell of parting day,
The lowing herd wind slowly o'er the lea,
The ploughman homeward plods his weary way,
And leaves the world to darkness and to me.

Now fades the glimmering landscape on the sight,
And all the air a solemn stillness holds,
Save where the beetle wheels his droning flight,
And drowsy tinklings lull the distant folds.

Save that from yonder ivy-mantled tower
The moping owl does to the moon complain
Of such as, wandering near her secret bower,
Molest her ancient solitary reign.
"""


def letters(torch):
    """The verse as numbers, one for each letter, and how many different letters it has."""
    alphabet = sorted(set(VERSE))
    return torch.tensor([alphabet.index(letter) for letter in VERSE]), len(alphabet)


def stripes(torch, count, side, classes, noise=0.5):
    """Noisy images (count, 1, side, side) of stripes that run in as many directions as there are classes, and their classes."""
    labels = torch.randint(classes, (count,))
    angles = (math.pi / classes * labels).reshape(-1, 1, 1)
    rows = torch.arange(side).reshape(1, -1, 1)
    columns = torch.arange(side).reshape(1, 1, -1)
    phases = 2 * math.pi * torch.rand(count, 1, 1)
    waves = torch.sin(1.5 * (torch.cos(angles) * rows + torch.sin(angles) * columns) + phases)
    return (waves + noise * torch.randn(count, side, side)).unsqueeze(1), labels


def mlp_with_dropout(torch):
    """A multi-layer perceptron with two layers of dropout, Adam."""
    nn = torch.nn
    torch.manual_seed(11)
    images, labels = stripes(torch, 256, 8, 6)
    model = nn.Sequential(
        nn.Flatten(),
        nn.Linear(64, 96),
        nn.ReLU(),
        nn.Dropout(0.3),
        nn.Linear(96, 48),
        nn.GELU(),
        nn.Dropout(0.1),
        nn.Linear(48, 6),
    )
    loss_function = nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(STEPS):
        rows = torch.randperm(len(labels))[:64]
        loss = loss_function(model(images[rows]), labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss.item()
    model.eval()
    with torch.no_grad():
        yield loss_function(model(images), labels).item()


def cnn_with_batch_norm(torch):
    """Convolutions, batch norm, both kinds of pooling; SGD with Nesterov's momentum, a rate that falls in steps."""
    nn, functional = torch.nn, torch.nn.functional
    torch.manual_seed(2)
    images, labels = stripes(torch, 128, 12, 6)
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1, bias=False),
        nn.BatchNorm2d(16),
        nn.LeakyReLU(0.1),
        nn.AdaptiveAvgPool2d(2),
        nn.Flatten(),
        nn.Linear(64, 6),
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, nesterov=True, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=20, gamma=0.3)
    for _ in range(STEPS):
        rows = torch.randint(len(labels), (32,))
        loss = functional.cross_entropy(model(images[rows]), labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        yield loss.item()
    model.eval()
    with torch.no_grad():
        yield functional.cross_entropy(model(images), labels).item()


def lstm_language_model(torch):
    """Two layers of LSTM over letters, whose state is carried from step to step; clipped gradients."""
    nn, functional = torch.nn, torch.nn.functional
    torch.manual_seed(3)
    text, size = letters(torch)
    columns = text[: len(text) // 4 * 4].reshape(4, -1).t()  # four readers, each of a quarter of the text

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(size, 16)
            self.lstm = nn.LSTM(16, 32, num_layers=2, dropout=0.2)
            self.head = nn.Linear(32, size)

        def forward(self, x, state=None):
            x, state = self.lstm(self.embedding(x), state)
            return self.head(x), state

    model = Model()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    state, start, length = None, 0, 12
    for _ in range(STEPS):
        if start + length >= len(columns):
            state, start = None, 0
        inputs, targets = columns[start : start + length], columns[start + 1 : start + length + 1]
        if state is not None:
            state = tuple(part.detach() for part in state)
        scores, state = model(inputs, state)
        loss = functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        start += length
        yield loss.item()
    model.eval()
    with torch.no_grad():
        scores, _ = model(columns[:-1])
        yield functional.cross_entropy(scores.flatten(0, 1), columns[1:].flatten()).item()


def small_gpt(torch):
    """A decoder of two blocks; AdamW with decay for matrices only, a warm-up and a cosine schedule."""
    nn, functional = torch.nn, torch.nn.functional
    torch.manual_seed(4)
    text, size = letters(torch)
    context, width, heads = 24, 32, 4

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.project = nn.Linear(width, 3 * width)
            self.out = nn.Linear(width, width)

        def forward(self, x):
            batch, length, _ = x.shape
            q, k, v = self.project(x).view(batch, length, 3, heads, -1).permute(2, 0, 3, 1, 4)
            x = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.out(x.transpose(1, 2).reshape(batch, length, width))

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.before_attention, self.attention = nn.LayerNorm(width), Attention()
            self.before_mlp = nn.LayerNorm(width)
            self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
            self.dropout = nn.Dropout(0.1)

        def forward(self, x):
            x = x + self.dropout(self.attention(self.before_attention(x)))
            return x + self.dropout(self.mlp(self.before_mlp(x)))

    class GPT(nn.Module):
        def __init__(self):
            super().__init__()
            self.letters, self.places = nn.Embedding(size, width), nn.Embedding(context, width)
            self.blocks = nn.Sequential(Block(), Block())
            self.norm = nn.LayerNorm(width)
            self.head = nn.Linear(width, size, bias=False)
            self.apply(self.begin)
            self.head.weight = self.letters.weight

        def begin(self, module):
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, std=0.05)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)

        def forward(self, x):
            x = self.letters(x) + self.places(torch.arange(x.shape[1]))
            return self.head(self.norm(self.blocks(x)))

    model = GPT()
    matrices = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() < 2]
    optimizer = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}],
        lr=1e-2,
        betas=(0.9, 0.95),
    )
    schedules = torch.optim.lr_scheduler
    schedule = schedules.SequentialLR(
        optimizer,
        [
            schedules.LinearLR(optimizer, start_factor=0.1, total_iters=5),
            schedules.CosineAnnealingLR(optimizer, T_max=STEPS - 5, eta_min=1e-3),
        ],
        milestones=[5],
    )
    windows = text.unfold(0, context + 1, 1)
    for _ in range(STEPS):
        batch = windows[torch.randint(len(windows), (8,))]
        loss = functional.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        yield loss.item()
    model.eval()
    with torch.no_grad():
        batch = windows[::context]
        yield functional.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten()).item()


def vae(torch):
    """A variational autoencoder with transposed convolutions, RMSprop."""
    nn, functional = torch.nn, torch.nn.functional
    torch.manual_seed(5)
    images, _ = stripes(torch, 128, 8, 2, noise=0.1)
    images = torch.sigmoid(4 * images)

    class VAE(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder = nn.Sequential(
                nn.Conv2d(1, 8, 4, stride=2, padding=1), nn.SiLU(), nn.Flatten(), nn.Linear(128, 8)
            )
            self.decoder = nn.Sequential(
                nn.Linear(4, 128),
                nn.SiLU(),
                nn.Unflatten(1, (8, 4, 4)),
                nn.ConvTranspose2d(8, 1, 4, stride=2, padding=1),
            )

        def forward(self, x):
            mean, log_variance = self.encoder(x).chunk(2, dim=1)
            z = mean + torch.exp(0.5 * log_variance) * torch.randn_like(mean)
            return self.decoder(z), mean, log_variance

    def bound(model, x):
        """The negative evidence lower bound of an image, in nats."""
        logits, mean, log_variance = model(x)
        rebuilt = functional.binary_cross_entropy_with_logits(logits, x, reduction="sum")
        divergence = -0.5 * torch.sum(1 + log_variance - mean.pow(2) - log_variance.exp())
        return (rebuilt + divergence) / len(x)

    model = VAE()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=5e-3, momentum=0.5, centered=True)
    for _ in range(STEPS):
        loss = bound(model, images[torch.randperm(len(images))[:32]])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss.item()
    model.eval()
    with torch.no_grad():
        yield bound(model, images).item()


def gan(torch):
    """A generator and a discriminator of points on a ring, which take turns."""
    nn, functional = torch.nn, torch.nn.functional
    torch.manual_seed(6)

    def real(count):
        angles = 2 * math.pi * torch.rand(count)
        return torch.stack([angles.cos(), angles.sin()], 1) + 0.05 * torch.randn(count, 2)

    generator = nn.Sequential(
        nn.Linear(8, 32, bias=False),
        nn.BatchNorm1d(32),
        nn.ReLU(),
        nn.Linear(32, 32),
        nn.ReLU(),
        nn.Linear(32, 2),
    )
    discriminator = nn.Sequential(
        nn.Linear(2, 32),
        nn.LeakyReLU(0.2),
        nn.Dropout(0.1),
        nn.Linear(32, 32),
        nn.LeakyReLU(0.2),
        nn.Linear(32, 1),
    )
    criterion = nn.BCEWithLogitsLoss()
    of_generator = torch.optim.Adam(generator.parameters(), lr=2e-3, betas=(0.5, 0.999))
    of_discriminator = torch.optim.Adam(discriminator.parameters(), lr=2e-3, betas=(0.5, 0.999))
    ones, zeros = torch.ones(64, 1), torch.zeros(64, 1)
    for _ in range(STEPS):
        made = generator(torch.randn(64, 8))
        loss = criterion(discriminator(real(64)), ones) + criterion(discriminator(made.detach()), zeros)
        of_discriminator.zero_grad()
        loss.backward()
        of_discriminator.step()
        yield loss.item()

        loss = criterion(discriminator(made), ones)
        of_generator.zero_grad()
        loss.backward()
        of_generator.step()
        yield loss.item()
    generator.eval()
    discriminator.eval()
    with torch.no_grad():
        yield functional.softplus(-discriminator(generator(torch.randn(64, 8)))).mean().item()


def transformer(torch):
    """An encoder and a decoder that learn to turn sequences round, with masks of padding and of the future; NAdam, a rate by formula."""
    nn, functional = torch.nn, torch.nn.functional
    torch.manual_seed(7)
    size, width, length = 12, 32, 9
    embedding = nn.Embedding(size, width, padding_idx=0)
    model = nn.Transformer(width, 4, 2, 2, 64, dropout=0.1, activation="gelu", batch_first=True)
    head = nn.Linear(width, size)
    everything = nn.ModuleList([embedding, model, head])
    optimizer = torch.optim.NAdam(
        everything.parameters(), lr=2e-3, decoupled_weight_decay=True, weight_decay=1e-2
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / 10, (10 / (step + 1)) ** 0.5)
    )
    future = nn.Transformer.generate_square_subsequent_mask(length)

    def loss_of_a_batch():
        x = torch.randint(1, size, (8, length))
        x = x.masked_fill(torch.arange(length) >= torch.randint(4, length + 1, (8, 1)), 0)
        y = torch.cat([torch.ones(8, 1, dtype=torch.int64), x.flip(1)], 1)
        padding = x == 0
        z = model(
            embedding(x),
            embedding(y[:, :-1]),
            tgt_mask=future,
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
        )
        return functional.cross_entropy(head(z).flatten(0, 1), y[:, 1:].flatten(), ignore_index=0)

    for _ in range(STEPS):
        loss = loss_of_a_batch()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        yield loss.item()
    everything.eval()  # with gradients: without, PyTorch would take nested tensors, and warn of them
    yield loss_of_a_batch().item()


def gru_of_packed_sequences(torch):
    """A GRU in both directions over sequences of many lengths, RAdam, gradients clipped by value."""
    nn, functional = torch.nn, torch.nn.functional
    torch.manual_seed(8)
    gru = nn.GRU(5, 16, num_layers=2, bidirectional=True, dropout=0.2, batch_first=True)
    head = nn.Linear(32, 2)
    everything = nn.ModuleList([gru, head])
    optimizer = torch.optim.RAdam(everything.parameters(), lr=1e-2)

    def loss_of_a_batch(count):
        lengths = torch.randint(2, 9, (count,)).tolist()
        sequences = [torch.randn(length, 5) for length in lengths]
        positive = torch.stack([sequence[:, 0].sum() > 0 for sequence in sequences])
        packed, _ = gru(nn.utils.rnn.pack_sequence(sequences, enforce_sorted=False))
        z, found = nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
        means = z.sum(1) / found.unsqueeze(1)
        return functional.cross_entropy(head(means), positive.long())

    for _ in range(STEPS):
        loss = loss_of_a_batch(16)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(everything.parameters(), 0.1)
        optimizer.step()
        yield loss.item()
    everything.eval()
    with torch.no_grad():
        yield loss_of_a_batch(64).item()


def normalised_layers(torch):
    """Weight, spectral, group, instance and root-mean-square normalisation; Adamax, a rate that goes up and down."""
    nn, functional = torch.nn, torch.nn.functional
    torch.manual_seed(9)
    of_weights = nn.utils.parametrizations
    images, labels = stripes(torch, 96, 8, 4)
    model = nn.Sequential(
        of_weights.weight_norm(nn.Conv2d(1, 8, 3, padding="same", padding_mode="circular")),
        nn.GroupNorm(2, 8),
        nn.Mish(),
        of_weights.spectral_norm(nn.Conv2d(8, 8, 3, groups=4, dilation=2, bias=False)),
        nn.InstanceNorm2d(8, affine=True, track_running_stats=True),
        nn.PReLU(8),
        nn.Dropout2d(0.1),
        nn.AvgPool2d(2),
        nn.Flatten(),
        of_weights.orthogonal(nn.Linear(32, 16)),
        nn.RMSNorm(16),
        nn.Hardswish(),
        nn.Linear(16, 4),
    )
    optimizer = torch.optim.Adamax(model.parameters(), lr=2e-3)
    schedule = torch.optim.lr_scheduler.CyclicLR(optimizer, 2e-3, 1e-2, step_size_up=10, cycle_momentum=False)
    for _ in range(STEPS):
        rows = torch.randperm(len(labels))[:32]
        loss = functional.multi_margin_loss(model(images[rows]), labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        yield loss.item()
    model.eval()
    with torch.no_grad():
        yield functional.multi_margin_loss(model(images), labels).item()


#: All programs, by name.
PROGRAMS = {
    program.__name__: program
    for program in (
        mlp_with_dropout,
        cnn_with_batch_norm,
        lstm_language_model,
        small_gpt,
        vae,
        gan,
        transformer,
        gru_of_packed_sequences,
        normalised_layers,
    )
}
