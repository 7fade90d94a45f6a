"""REINFORCE: an agent that learns to catch a ball, in today's form and in that of 2017.

A ball falls through a grid of 7 x 5 cells, and drifts; a paddle at the bottom moves left, stays, or moves right.  A game ends with a reward of 1 if
the ball was caught, and -1 if not: nothing says which of the moves were good.  A network gives the probability of each move, one is drawn, and
after the game its logarithm is pushed up or down by the reward.

    python examples/reinforce.py

Both forms draw the same moves from the same seed, so they learn the same:

    today   loss = -log(probability of the move) * reward, loss.backward()
    2017    move.reinforce(reward), autograd.backward(moves)
"""

import argparse
import warnings

import minigrad as torch
from minigrad import autograd, nn
from minigrad.autograd import Variable

try:
    from tqdm.auto import trange
except ImportError:  # the progress bar comes with pip install 'minigrad-numpy[examples]'

    def trange(n, **_):
        return range(n)


class Catch:
    """Many games at once; what the agent sees of each is the grid, as (games, ROWS * COLUMNS) numbers."""

    ROWS, COLUMNS = 7, 5

    def __init__(self, games):
        self.games = games
        self.ball = torch.randint(self.COLUMNS, (games,))
        self.drift = torch.randint(-1, 2, (games,))
        self.paddle = torch.full((games,), self.COLUMNS // 2)
        self.row = 0

    def grid(self):
        """1 where the ball is, -1 where the paddle is, and at half strength where the ball was before."""
        cells = torch.zeros(self.games, self.ROWS, self.COLUMNS)
        every = torch.arange(self.games)
        cells[every, self.ROWS - 1, self.paddle] = -1
        if self.row:
            cells[every, self.row - 1, self.before] = 0.5
        cells[every, self.row, self.ball] += 1
        return cells.flatten(1)

    def move(self, moves):
        """Play moves (games,) of 0 left, 1 none, 2 right; returns whether the games are over."""
        self.paddle = (self.paddle + moves - 1).clamp(0, self.COLUMNS - 1)
        self.before = self.ball
        drifted = self.ball + self.drift
        self.drift = torch.where(
            (drifted < 0) | (drifted >= self.COLUMNS), -self.drift, self.drift
        )  # off the wall
        self.ball = self.ball + self.drift
        self.row += 1
        return self.row == self.ROWS - 1

    def rewards(self):
        """1 where the ball was caught, -1 where it was not: (games,)."""
        return (self.ball == self.paddle).float() * 2 - 1


def policy():
    """The grid -> the probabilities of the three moves."""
    return nn.Sequential(
        nn.Linear(Catch.ROWS * Catch.COLUMNS, 64), nn.ReLU(), nn.Linear(64, 3), nn.Softmax(dim=1)
    )


def play_today(network, optimizer, games):
    """Play games, and learn from them; returns the mean reward."""
    catch, logarithms, over = Catch(games), [], False
    while not over:
        probabilities = network(catch.grid())
        moves = probabilities.multinomial(1)
        logarithms.append(probabilities.gather(1, moves).log())
        over = catch.move(moves.squeeze(1))
    rewards = catch.rewards().unsqueeze(1)
    advantages = (rewards - rewards.mean()) / games
    loss = -sum((logarithm * advantages).sum() for logarithm in logarithms)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return rewards.mean().item()


def play_2017(network, optimizer, games):
    """The same: the drawn moves know how they were drawn, and are told the reward."""
    catch, drawn, over = Catch(games), [], False
    while not over:
        probabilities = network(Variable(catch.grid()))
        moves = probabilities.multinomial()
        drawn.append(moves)
        over = catch.move(moves.data.squeeze(1))
    rewards = catch.rewards().unsqueeze(1)
    advantages = (rewards - rewards.mean()) / games
    for moves in drawn:
        moves.reinforce(advantages)
    optimizer.zero_grad()
    autograd.backward(drawn, [None for _ in drawn])
    optimizer.step()
    return rewards.mean()


def learn(play, rounds, games, name):
    """Play rounds of games with a new network; returns it, and the mean reward of every round."""
    torch.manual_seed(0)
    network = policy()
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
    history = []
    progress = trange(rounds, desc=name, unit="round")
    for number in progress:
        history.append(play(network, optimizer, games))
        if number % 10 == 9 and hasattr(progress, "set_postfix"):
            progress.set_postfix(reward=f"{sum(history[-10:]) / 10:.3f}")
    return network, history


@torch.no_grad()
def caught(network, games=1000):
    """The share of games that are won by the most probable moves."""
    catch, over = Catch(games), False
    while not over:
        over = catch.move(network(catch.grid()).argmax(1))
    return (catch.rewards() > 0).float().mean().item()


@torch.no_grad()
def show(network, games=4):
    """Some games beside each other, from above to below: where the ball was in each row, and where the paddle came to stand."""
    catch, over = Catch(games), False
    lines = [catch.ball.tolist()]
    while not over:
        over = catch.move(network(catch.grid()).argmax(1))
        lines.append(catch.ball.tolist())
    for line in lines[:-1]:
        print(
            "   ".join(
                "|" + "".join("o" if k == ball else " " for k in range(catch.COLUMNS)) + "|" for ball in line
            )
        )
    bottom = zip(lines[-1], catch.paddle.tolist())
    print(
        "   ".join("|" + "".join(foot(k, *places) for k in range(catch.COLUMNS)) + "|" for places in bottom)
    )


def foot(column, ball, paddle):
    """What stands in a cell of the last row."""
    return {(True, True): "@", (True, False): "o", (False, True): "="}.get(
        (column == ball, column == paddle), " "
    )


def chart(history, lines=10):
    """The mean reward in each part of the run, as bars."""
    size = max(1, len(history) // lines)
    for start in range(0, size * lines, size):
        part = history[start : start + size]
        reward = float(sum(part) / len(part))
        print(
            f"  rounds {start:4} to {start + len(part) - 1:4}  {reward:6.3f}  {'#' * round((reward + 1) * 25)}"
        )


def main():
    parser = argparse.ArgumentParser(description="Learn to catch a ball by REINFORCE.")
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--games", type=int, default=256, help="in each round")
    parser.add_argument(
        "--quick", action="store_true", help="a short run that only shows that everything works"
    )
    options = parser.parse_args()
    rounds = 150 if options.quick else options.rounds

    today, history = learn(play_today, rounds, options.games, "today")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        _, old = learn(play_2017, rounds, options.games, "2017")
    print("\nMean reward, today's form:")
    chart(history)
    print("Mean reward, the form of 2017:")
    chart(old)
    print("\nWhat the form of 2017 says, once each:")
    for warning in said:
        print(f"  {warning.category.__name__}: {warning.message}")
    share = caught(today)
    print(
        f"\nBy its most probable moves the agent catches {share:.1%} of 1000 balls. Four games (@: caught):\n"
    )
    show(today)
    if history[0] != float(old[0]):
        raise SystemExit("the two forms play different games")
    if min(sum(history[-20:]), float(sum(old[-20:]))) < 20 * (0.0 if options.quick else 0.75):
        raise SystemExit("the agent has learnt too little")


if __name__ == "__main__":
    main()
