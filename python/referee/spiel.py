"""OpenSpiel: every game under the name ``referee_GAME``.

Chance is explicit: dice rolls and stolen cards are chance nodes with their true probabilities.
Where the rules draw a 64-bit number (to shuffle a deck or resolve a battle), a chance node chooses
one of ``deals`` numbers. Orcain is simultaneous. In Stellar Fleet, whose orders are composed of
small steps, seats decide one after another without seeing each other's sealed orders.

Registered games run through Python. They are meant for OpenSpiel's algorithms and tests, not for
speed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from referee import _native
from referee.documents import space

SIMULTANEOUS = ("orcain",)
DEALS = 1024


def _game_type(game: str) -> pyspiel.GameType:
    dynamics = pyspiel.GameType.Dynamics
    chance = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=f"referee_{game}",
        long_name=f"Referee: {game}",
        dynamics=dynamics.SIMULTANEOUS if game in SIMULTANEOUS else dynamics.SEQUENTIAL,
        chance_mode=chance.DETERMINISTIC if game == "orcain" else chance.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=8,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"setup": "", "deals": DEALS},
    )


class _Game(pyspiel.Game):
    """A game of Referee. ``setup`` is JSON text, the name of a scenario, or the path of a file. An
    empty ``setup`` is the game's default."""

    name = ""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.setup = params.get("setup") or None
        self.deals = int(params.get("deals", DEALS))
        start = self.start()
        described = space(self.name, self.setup)
        self.tensors = described["tensors"]
        self.n_values = described["n_values"]
        info = pyspiel.GameInfo(
            num_distinct_actions=start.n_actions,
            max_chance_outcomes=0 if self.name == "orcain" else max(self.deals, 36),
            num_players=start.n_seats,
            min_utility=-1.0,
            max_utility=1.0,
            max_game_length=min(start.steps_max, 2**31 - 1),
        )
        super().__init__(_game_type(self.name), info, params)

    def start(self) -> _native.Position:
        """The initial position."""
        return _native.Position(self.name, self.setup)

    def new_initial_state(self) -> _State:
        return _State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        return _Observer(self)


class _State(pyspiel.State):
    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self._deals = game.deals
        self._simultaneous = game.name in SIMULTANEOUS
        self._position = game.start()
        self._settle()

    @property
    def position(self) -> _native.Position:
        """The native position."""
        return self._position

    def _settle(self) -> None:
        """Lets deadlines pass while no seat has to decide."""
        position = self._position
        while position.turn == "clock" or (position.turn == "sealed" and not position.missing):
            position.deadline()

    def current_player(self) -> int:
        turn = self._position.turn
        player: int
        if turn == "over":
            player = pyspiel.PlayerId.TERMINAL
        elif turn == "chance":
            player = pyspiel.PlayerId.CHANCE
        elif self._simultaneous:
            player = pyspiel.PlayerId.SIMULTANEOUS
        else:
            player = self._position.missing[0]
        return player

    def _legal_actions(self, player: int) -> list[int]:
        return self._position.legal(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        odds = self._position.chance()
        if odds is None:
            return [(deal, 1.0 / self._deals) for deal in range(self._deals)]
        return odds

    def _apply_action(self, action: int) -> None:
        if self._position.turn == "chance":
            self._position.resolve(action)
        else:
            self._position.play(self._position.missing[0], action)
        self._settle()

    def _apply_actions(self, actions: list[int]) -> None:
        for seat in self._position.missing:
            self._position.play(seat, actions[seat])
        self._settle()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance:{action}"
        return self._position.action_text(action)

    def is_terminal(self) -> bool:
        return self._position.turn == "over"

    def returns(self) -> list[float]:
        return [float(score) for score in self._position.scores]

    def rewards(self) -> list[float]:
        return self.returns()

    def __str__(self) -> str:
        return self._position.snapshot()

    def resample(self, player: int, seed: int) -> _native.Position:
        """A position that looks the same to the player, with everything it cannot know redrawn."""
        return self._position.redraw(player, seed)


class _Observer:
    """The honest observation as a tensor, and the view as text."""

    def __init__(self, game: _Game) -> None:
        self.tensor = np.zeros(game.n_values, np.float32)
        self.dict = {}
        for block in game.tensors:
            first = block["offset"]
            last = first + int(np.prod(block["shape"]))
            self.dict[block["name"]] = self.tensor[first:last].reshape(block["shape"])

    def set_from(self, state: _State, player: int) -> None:
        self.tensor[:] = state.position.observation(player)

    def string_from(self, state: _State, player: int) -> str:
        return state.position.view(player)


def _register_all() -> None:
    """Registers every game, unless it is registered already."""
    for game in _native.games():
        if f"referee_{game}" not in pyspiel.registered_names():
            pyspiel.register_game(_game_type(game), type(f"{game}_game", (_Game,), {"name": game}))


_register_all()
