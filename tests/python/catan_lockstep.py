"""Plays Catan with Referee and catanatron in lockstep.

Both engines get the same board, deck, actions, dice and thefts. Before every decision, everything
that both represent is compared: the player to move, the legal actions, hands, bank, deck, pieces,
robber, points, road lengths, armies, titles, the winner. testdata/catan/topology.json translates
ids.

DEPARTURES lists where catanatron departs from the official rules. Each departure is recognized by
its circumstances, not only by its effect. catanatron is then corrected so that the match can
continue. Anything else is a Difference.
"""

import collections
import json
import pathlib
import random
import subprocess

from catanatron.game import Game
from catanatron.models.actions import generate_playable_actions
from catanatron.models.enums import Action, ActionPrompt, ActionType
from catanatron.models.map import (
    BASE_MAP_TEMPLATE,
    PORT_DIRECTION_TO_NODEREFS,
    CatanMap,
    LandTile,
    initialize_tiles,
)
from catanatron.models.player import Color, RandomPlayer

DEPARTURES = {
    "no_progress_card_before_the_throw": (
        "catanatron allows only knights before the roll; officially any card may be played"
    ),
    "new_card_may_be_played": "catanatron does not distinguish cards bought this turn from older ones",
    "road_building_needs_the_price": (
        "catanatron offers road building only to a player who could pay for a road"
    ),
    "only_the_best_rate": (
        "catanatron offers bank trades only at the best rate; a worse one is legal and useless"
    ),
    "one_card_of_plenty": (
        "catanatron lets a year of plenty take one card if some pair is unavailable; officially "
        "it takes two as long as the bank has two"
    ),
    "discard_in_one_go": "catanatron discards at random in one action; here every card is chosen",
    "second_discard_above_seven": (
        "after one player's discard catanatron makes the next player discard above 7 cards, "
        "regardless of the limit of the match"
    ),
    "short_bank_pays_no_sole_claimant": (
        "catanatron withholds a resource that the bank is short of even from a sole claimant"
    ),
    "road_into_an_enemy_building": "catanatron does not count a road that ends at an enemy building",
    "title_after_a_cut": (
        "after a cut catanatron awards the longest road even below five segments, and in a tie "
        "not to its holder"
    ),
    "win_inside_an_action": (
        "catanatron detects a win between a knight and the robber's move; here the action is completed first"
    ),
}

RESOURCES = ["BRICK", "LUMBER", "WOOL", "GRAIN", "ORE"]
TO_CAT = dict(zip(RESOURCES, ["BRICK", "WOOD", "SHEEP", "WHEAT", "ORE"], strict=True))
FROM_CAT = {theirs: ours for ours, theirs in TO_CAT.items()}
CAT_ORDER = ["WOOD", "BRICK", "SHEEP", "WHEAT", "ORE"]
DEVS = ["KNIGHT", "ROAD_BUILDING", "YEAR_OF_PLENTY", "MONOPOLY", "VICTORY_POINT"]
CARD_OF = {"knight": "KNIGHT", "roads": "ROAD_BUILDING", "plenty": "YEAR_OF_PLENTY", "monopoly": "MONOPOLY"}
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Difference(Exception):
    """The engines differ, and no departure explains it."""


class Topology:
    """Maps ids between the two engines."""

    def __init__(self):
        tables = json.loads((ROOT / "testdata/catan/topology.json").read_text())
        self.cubes = [tuple(tile["cube"]) for tile in tables["tiles"]]
        self.tile_of = {cube: idx for idx, cube in enumerate(self.cubes)}
        self.corners = [tile["vertices_by_direction"] for tile in tables["tiles"]]
        self.node = [vertex["catanatron_node"] for vertex in tables["vertices"]]
        self.vertex = {node: idx for idx, node in enumerate(self.node)}
        self.ends = [tuple(edge["vertices"]) for edge in tables["edges"]]
        self.nodes = [tuple(sorted(self.node[it] for it in ends)) for ends in self.ends]
        self.edge = {nodes: idx for idx, nodes in enumerate(self.nodes)}
        self.at = collections.defaultdict(list)
        for edge, ends in enumerate(self.ends):
            for vertex in ends:
                self.at[vertex].append(edge)
        self.port_ends = [port["vertices"] for port in tables["ports"]]

    def map(self, board):
        """Catanatron's map of our board."""
        terrain = [TO_CAT.get(tile["resource"]) for tile in board["tiles"]]
        numbers = [tile["pip_number"] for tile in board["tiles"]]
        lands, ports = [], []
        kinds = {
            frozenset(self.node[it] for it in ends): port["type"]
            for ends, port in zip(self.port_ends, board["ports"], strict=True)
        }
        blank = initialize_tiles(BASE_MAP_TEMPLATE)
        for cube, kind in BASE_MAP_TEMPLATE.topology.items():
            if kind is LandTile:
                lands.append(self.tile_of[cube])
            elif isinstance(kind, tuple):
                nodes = [blank[cube].nodes[it] for it in PORT_DIRECTION_TO_NODEREFS[kind[1]]]
                ports.append(TO_CAT.get(kinds[frozenset(nodes)]))
        tiles = initialize_tiles(
            BASE_MAP_TEMPLATE,
            [numbers[it] for it in reversed(lands) if numbers[it]],
            ports[::-1],
            [terrain[it] for it in reversed(lands)],
        )
        return CatanMap.from_tiles(tiles)


TOPOLOGY = Topology()


def longest(roads, enemy):
    """The length of the longest trail by exhaustive search, as an independent implementation of the
    official rule."""
    roads, best = set(roads), 0

    def walk(vertex, left, length):
        nonlocal best
        best = max(best, length)
        if length and vertex in enemy:
            return
        for edge in TOPOLOGY.at[vertex]:
            if edge in left:
                low, high = TOPOLOGY.ends[edge]
                walk(low + high - vertex, left - {edge}, length + 1)

    for vertex in {vertex for edge in roads for vertex in TOPOLOGY.ends[edge]}:
        walk(vertex, roads, 0)
    return best


class Referee:
    """Our engine, driven over `referee host`."""

    def __init__(self, program):
        told = subprocess.run(
            [program, "describe", "catan", "--json"], check=True, capture_output=True, text=True
        ).stdout
        self.texts = [row["text"] for row in json.loads(told)["actions"]]
        self.ids = {text: idx for idx, text in enumerate(self.texts)}
        self.process = subprocess.Popen(
            [program, "host", "catan", "--snapshots"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(timeout=30)

    def ask(self, **command):
        self.process.stdin.write(json.dumps(command).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "refused" in answer:
            raise Difference(f"{command} is refused: {answer['refused']}")
        return answer

    def play(self, seat, text):
        return self.ask(do="play", player_id=seat, action=self.ids[text])


class Lockstep:
    """One match in both engines."""

    def __init__(self, referee, seed, setup, weights):
        self.referee, self.setup, self.weights = referee, setup, weights
        self.rng = random.Random(seed)
        self.seen = collections.Counter()
        self.n_decisions = 0
        referee.ask(do="open", setup=setup, seed=str(seed))
        self.ours = referee.ask(do="chance")
        players = [RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)]
        self.game = Game(
            players,
            seed=seed + 1,
            discard_limit=setup["discard_threshold"],
            vps_to_win=setup["vp_to_win"],
            catan_map=TOPOLOGY.map(self.snapshot["board"]),
        )
        self.cat = self.game.state
        self.cat.development_listdeck = self.snapshot["bank"]["dev_deck"][::-1]
        self.owner = None

    @property
    def snapshot(self):
        return self.ours["snapshot"]

    def play(self):
        """Plays to the end and returns the winner."""
        while self.ours["waits_for"] != "over":
            self.compare()
            self.step()
        self.compare_state()
        return self.snapshot["winner"]

    # ----- comparing

    def fail(self, what, ours, theirs):
        phase = self.snapshot["turn"]["phase"]
        raise Difference(f"{what} in {phase}: ours {ours!r}, theirs {theirs!r}")

    def same(self, what, ours, theirs):
        if ours != theirs:
            self.fail(what, ours, theirs)

    def depart(self, name, circumstances):
        """Counts a departure. Raises Difference unless its circumstances hold."""
        if not circumstances:
            raise Difference(f"it looks like {name}, but the circumstances differ")
        assert name in DEPARTURES
        self.seen[name] += 1

    def compare(self):
        self.compare_state()
        turn = self.snapshot["turn"]
        ((seat, legal),) = self.ours["legal"].items()
        self.same("who decides", int(seat), self.cat.current_player_index)
        self.same("whose turn it is", turn["current_player"], self.cat.current_turn_index)
        ours = {self.referee.texts[idx] for idx in legal}
        theirs = {self.text(action) for action in self.cat.playable_actions}
        for text in ours - theirs:
            self.explain_ours(text, turn["phase"], int(seat))
        for text in theirs - ours:
            self.explain_theirs(text, int(seat))
        self.common = sorted(ours & theirs)
        if turn["phase"] == "DISCARD":
            self.common = ["discard"]

    def compare_state(self):
        snapshot, cat = self.snapshot, self.cat
        for seat, player in enumerate(snapshot["players"]):
            state = {key: cat.player_state[f"P{seat}_{key}"] for key in KEYS}
            self.same(
                "hand", player["resources"], {name: state[f"{TO_CAT[name]}_IN_HAND"] for name in RESOURCES}
            )
            held = {name: player["dev_cards"][name] + player["new_dev_cards"][name] for name in DEVS}
            self.same("cards", held, {name: state[f"{name}_IN_HAND"] for name in DEVS})
            self.same(
                "played cards",
                player["played_dev_cards"],
                {name: state[f"PLAYED_{name}"] for name in DEVS[:4]},
            )
            self.same("points", player["victory_points"], state["VICTORY_POINTS"])
            self.same(
                "all points",
                player["victory_points"] + player["hidden_victory_points"],
                state["ACTUAL_VICTORY_POINTS"],
            )
            color = cat.colors[seat]
            built = cat.buildings_by_color[color]
            vertices = TOPOLOGY.vertex
            self.same(
                "settlements", player["settlements"], sorted(vertices[it] for it in built["SETTLEMENT"])
            )
            self.same("cities", player["cities"], sorted(vertices[it] for it in built["CITY"]))
            self.same(
                "roads", player["roads"], sorted(TOPOLOGY.edge[tuple(sorted(it))] for it in built["ROAD"])
            )
            left = (15 - len(player["roads"]), 5 - len(player["settlements"]), 4 - len(player["cities"]))
            self.same(
                "pieces left",
                left,
                (state["ROADS_AVAILABLE"], state["SETTLEMENTS_AVAILABLE"], state["CITIES_AVAILABLE"]),
            )
            self.same("road length", player["longest_road_len"], cat.board.road_lengths[color])
            self.same("longest road", snapshot["longest_road_owner"] == seat, state["HAS_ROAD"])
            self.same("largest army", snapshot["largest_army_owner"] == seat, state["HAS_ARMY"])
        bank = snapshot["bank"]
        self.same("bank", [bank["resources"][FROM_CAT[it]] for it in CAT_ORDER], cat.resource_freqdeck)
        self.same("deck", bank["dev_deck"], cat.development_listdeck[::-1])
        (robber,) = [it["tile_id"] for it in snapshot["board"]["tiles"] if it["has_robber"]]
        self.same("robber", robber, TOPOLOGY.tile_of[cat.board.robber_coordinate])
        if not cat.is_initial_build_phase and snapshot["outcome"] is None:
            self.same("turn number", snapshot["turn"]["number"], cat.num_turns - 1)
        self.compare_winner()

    def compare_winner(self):
        winner, phase = self.snapshot["winner"], self.snapshot["turn"]["phase"]
        color = self.game.winning_color()
        theirs = None if color is None else self.cat.color_to_index[color]
        if winner is None and theirs is not None:
            inside = phase in ("MOVE_ROBBER", "ROAD_BUILDING")
            mover = self.snapshot["turn"]["current_player"]
            self.depart("win_inside_an_action", inside and theirs == mover)
        else:
            self.same("winner", winner, theirs)

    def explain_ours(self, text, phase, seat):
        verb = text.split(":")[0]
        player = self.snapshot["players"][seat]
        if verb in ("roads", "plenty", "monopoly") and phase == "ROLL":
            self.depart("no_progress_card_before_the_throw", True)
        elif verb == "roads":
            poor = min(player["resources"]["BRICK"], player["resources"]["LUMBER"]) == 0
            self.depart("road_building_needs_the_price", poor)
        elif verb in ("bank", "port3"):
            give = text.split(":")[1].split(">")[0]
            kinds = self.harbors(seat)
            better = give in kinds or (verb == "bank" and "ANY" in kinds)
            self.depart("only_the_best_rate", better)
        elif verb == "discard":
            self.depart("discard_in_one_go", phase == "DISCARD")
        else:
            self.fail("legal here and not there", text, None)

    def explain_theirs(self, text, seat):
        verb = text.split(":")[0]
        player = self.snapshot["players"][seat]
        card = CARD_OF.get(verb)
        if verb == "discard":
            return
        if card and player["dev_cards"][card] == 0:
            self.depart("new_card_may_be_played", player["new_dev_cards"][card] > 0)
        elif verb == "plenty" and "+" not in text:
            n_cards = sum(self.snapshot["bank"]["resources"].values())
            self.depart("one_card_of_plenty", n_cards > 1)
        else:
            self.fail("legal there and not here", None, text)

    def harbors(self, seat):
        player = self.snapshot["players"][seat]
        homes = set(player["settlements"]) | set(player["cities"])
        return {
            port["type"]
            for port, ends in zip(self.snapshot["board"]["ports"], TOPOLOGY.port_ends, strict=True)
            if homes & set(ends)
        }

    def text(self, action):
        """Catanatron's action in our notation."""
        kind, value = action.action_type, action.value
        setup = self.cat.is_initial_build_phase
        if kind == ActionType.BUILD_ROAD:
            edge = TOPOLOGY.edge[tuple(sorted(value))]
            verb = "first-road" if setup else "free-road" if self.cat.is_road_building else "road"
            return f"{verb}:{edge}"
        if kind == ActionType.BUILD_SETTLEMENT:
            return f"{'first-settle' if setup else 'settle'}:{TOPOLOGY.vertex[value]}"
        if kind == ActionType.BUILD_CITY:
            return f"city:{TOPOLOGY.vertex[value]}"
        if kind == ActionType.MOVE_ROBBER:
            self.check_victim(value)
            return f"robber:{TOPOLOGY.tile_of[value[0]]}"
        if kind == ActionType.PLAY_YEAR_OF_PLENTY:
            names = sorted((FROM_CAT[it] for it in value), key=RESOURCES.index)
            return "plenty:" + "+".join(names)
        if kind == ActionType.PLAY_MONOPOLY:
            return "monopoly:" + FROM_CAT[value]
        if kind == ActionType.MARITIME_TRADE:
            given = [it for it in value[:-1] if it is not None]
            verb = {4: "bank", 3: "port3", 2: "port2"}[len(given)]
            return f"{verb}:{FROM_CAT[given[0]]}>{FROM_CAT[value[-1]]}"
        return PLAIN[kind]

    def check_victim(self, value):
        """Checks that both engines name the same victim for a tile: the opponent, if adjacent and
        holding cards."""
        mover = self.snapshot["turn"]["current_player"]
        theirs = None if value[1] is None else self.cat.color_to_index[value[1]]
        self.same("victim", self.victim(TOPOLOGY.tile_of[value[0]], 1 - mover), theirs)

    def victim(self, tile, other):
        player = self.snapshot["players"][other]
        homes = set(player["settlements"]) | set(player["cities"])
        lives = homes & set(TOPOLOGY.corners[tile])
        return other if lives and sum(player["resources"].values()) else None

    # ----- playing

    def step(self):
        self.n_decisions += 1
        weights = [self.weights.get(text.split(":")[0], 1) for text in self.common]
        (text,) = self.rng.choices(self.common, weights)
        seat, verb = self.cat.current_player_index, text.split(":")[0]
        before = self.snapshot
        if verb == "discard":
            self.discard(seat)
        elif verb == "roll":
            self.roll(seat)
        elif verb == "robber":
            self.robber(seat, text, int(text.split(":")[1]))
        else:
            action = next(it for it in self.cat.playable_actions if self.text(it) == text)
            self.ours = self.referee.play(seat, text)
            self.game.execute(action)
        if verb in PLACES:
            self.check_roads(before, seat, verb, text)

    def roll(self, seat):
        dice = (self.rng.randint(1, 6), self.rng.randint(1, 6))
        before = self.snapshot
        self.referee.play(seat, "roll")
        self.ours = self.referee.ask(do="chance", draw=list(dice))
        self.execute(seat, ActionType.ROLL, dice)
        if sum(dice) != 7:
            self.check_shortage(before, sum(dice))

    def execute(self, seat, kind, value):
        self.game.execute(Action(self.cat.colors[seat], kind, value), validate_action=False)

    def check_shortage(self, before, number):
        for name in RESOURCES:
            theirs = [self.cat.player_state[f"P{it}_{TO_CAT[name]}_IN_HAND"] for it in (0, 1)]
            ours = [player["resources"][name] for player in self.snapshot["players"]]
            if ours == theirs:
                continue
            stock = before["bank"]["resources"][name]
            claims = [self.claim(before, seat, name, number) for seat in (0, 1)]
            sole = sorted(claims)[0] == 0 and sum(claims) > stock
            gained = [
                now - player["resources"][name] for now, player in zip(ours, before["players"], strict=True)
            ]
            paid = [min(claim, stock) for claim in claims]
            self.depart("short_bank_pays_no_sole_claimant", sole and gained == paid)
            for seat in (0, 1):
                self.cat.player_state[f"P{seat}_{TO_CAT[name]}_IN_HAND"] += paid[seat]
            self.cat.resource_freqdeck[CAT_ORDER.index(TO_CAT[name])] -= sum(paid)
            self.cat.playable_actions = generate_playable_actions(self.cat)

    def claim(self, snapshot, seat, name, number):
        player, claim = snapshot["players"][seat], 0
        for tile in snapshot["board"]["tiles"]:
            wakes = tile["pip_number"] == number and not tile["has_robber"]
            if wakes and tile["resource"] == name:
                corners = set(TOPOLOGY.corners[tile["tile_id"]])
                claim += len(corners & set(player["settlements"]))
                claim += 2 * len(corners & set(player["cities"]))
        return claim

    def discard(self, seat):
        hand = self.snapshot["players"][seat]["resources"]
        cards = [name for name in RESOURCES for _ in range(hand[name])]
        (due,) = [it for it in self.snapshot["pending_discards"] if it["player_id"] == seat]
        self.same("cards to discard", due["left"], len(cards) // 2)
        chosen = []
        while len(chosen) < due["left"]:
            name = self.card_to_discard(seat)
            chosen.append(name)
            self.ours = self.referee.play(seat, f"discard:{name}")
        self.execute(seat, ActionType.DISCARD, [TO_CAT[name] for name in chosen])
        over = self.snapshot["turn"]["phase"] == "MOVE_ROBBER"
        if over and self.cat.current_prompt == ActionPrompt.DISCARD:
            n_cards = sum(self.snapshot["players"][1]["resources"].values())
            fits = seat == 0 and 7 < n_cards <= self.setup["discard_threshold"]
            self.depart("second_discard_above_seven", fits)
            self.cat.current_player_index = self.cat.current_turn_index
            self.cat.current_prompt = ActionPrompt.MOVE_ROBBER
            self.cat.is_discarding = False
            self.cat.is_moving_knight = True
            self.cat.playable_actions = generate_playable_actions(self.cat)

    def card_to_discard(self, seat):
        """A random card from the current hand."""
        hand = self.snapshot["players"][seat]["resources"]
        return self.rng.choice([name for name in RESOURCES for _ in range(hand[name])])

    def robber(self, seat, text, tile):
        victim = self.victim(tile, 1 - seat)
        answer = self.referee.play(seat, text)
        self.same("a theft is due", answer["waits_for"] == "chance", victim is not None)
        value = (TOPOLOGY.cubes[tile], None, None)
        if victim is not None:
            hand = self.snapshot["players"][victim]["resources"]
            card = self.rng.choice([it for it in RESOURCES for _ in range(hand[it])])
            answer = self.referee.ask(do="chance", draw=card)
            value = (TOPOLOGY.cubes[tile], self.cat.colors[victim], TO_CAT[card])
        self.ours = answer
        self.execute(seat, ActionType.MOVE_ROBBER, value)

    # ----- the longest road

    def check_roads(self, before, seat, verb, text):
        """Checks our road lengths and title against the official rule, and corrects catanatron's."""
        homes = [set(it["settlements"]) | set(it["cities"]) for it in self.snapshot["players"]]
        roads = [it["roads"] for it in self.snapshot["players"]]
        lengths = [longest(roads[it], homes[1 - it]) for it in (0, 1)]
        ours = [player["longest_road_len"] for player in self.snapshot["players"]]
        self.same("road lengths and the official ones", ours, lengths)
        best = max(lengths)
        if best < 5:
            owner = None
        elif self.owner is not None and lengths[self.owner] == best:
            owner = self.owner
        else:
            owner = lengths.index(best) if lengths[0] != lengths[1] else None
        self.same("the longest road and the official one", self.snapshot["longest_road_owner"], owner)
        cut = False
        if verb == "settle":
            vertex = int(text.split(":")[1])
            theirs = before["players"][1 - seat]["roads"]
            cut = sum(edge in theirs for edge in TOPOLOGY.at[vertex]) == 2
        self.owner = owner
        self.mend_roads(lengths, owner, cut, homes, roads)

    def mend_roads(self, lengths, owner, cut, homes, roads):
        cat, board = self.cat, self.cat.board
        short = False
        for seat, color in enumerate(cat.colors):
            theirs = board.road_lengths[color]
            if theirs != lengths[seat]:
                tips = {it for edge in roads[seat] for it in TOPOLOGY.ends[edge]}
                blocked = tips & homes[1 - seat]
                self.depart("road_into_an_enemy_building", blocked and theirs < lengths[seat])
                short = True
        holder = None if board.road_color is None else cat.color_to_index[board.road_color]
        if holder != owner and not short:
            self.depart("title_after_a_cut", cut)
        if holder == owner and not short and not cut:
            return
        for seat, color in enumerate(cat.colors):
            board.road_lengths[color] = lengths[seat]
            had, has = cat.player_state[f"P{seat}_HAS_ROAD"], owner == seat
            cat.player_state[f"P{seat}_HAS_ROAD"] = has
            for key in ("VICTORY_POINTS", "ACTUAL_VICTORY_POINTS"):
                cat.player_state[f"P{seat}_{key}"] += 2 * (has - had)
        board.road_color = None if owner is None else cat.colors[owner]
        board.road_length = 0 if owner is None else lengths[owner]


PLACES = ("road", "free-road", "settle", "first-road", "first-settle")
PLAIN = {
    ActionType.ROLL: "roll",
    ActionType.END_TURN: "end",
    ActionType.BUY_DEVELOPMENT_CARD: "buy",
    ActionType.PLAY_KNIGHT_CARD: "knight",
    ActionType.PLAY_ROAD_BUILDING: "roads",
    ActionType.DISCARD: "discard",
}
KEYS = [
    "VICTORY_POINTS",
    "ACTUAL_VICTORY_POINTS",
    "ROADS_AVAILABLE",
    "SETTLEMENTS_AVAILABLE",
    "CITIES_AVAILABLE",
    "HAS_ROAD",
    "HAS_ARMY",
]
KEYS += [f"{name}_IN_HAND" for name in CAT_ORDER + DEVS]
KEYS += [f"PLAYED_{name}" for name in DEVS]
