"""Plays a match of any game against a bot without knowing its rules. It chooses from the published
schemas and the server's messages, and validates every message in both directions.

    referee serve
    mkdir schemas
    referee schema protocol-client > schemas/protocol-client.json
    referee schema protocol-server > schemas/protocol-server.json
    python schema_client.py --server http://127.0.0.1:8080 --game catan --schemas schemas

The schema of the game's `ask` determines how the client finds a decision:

- If decisions are written in words, the server lists the words that can begin one (`legal` of a
  `standing`). The client picks one of them, sends `consider` to learn the words that can follow,
  and repeats this until the decision is complete.
- Otherwise it draws an ask that fits the schema, and sends `consider` to learn whether the rules
  would accept it.
"""

import argparse
import json
import pathlib
import random
import sys
import time
import urllib.request

from jsonschema import Draft202012Validator
from websockets.sync.client import connect

# The most asks drawn for one decision.
DRAWN_MAX = 500
# After this many refusals in a row with the same code, no ask is legal at the moment.
REFUSED_ALIKE_MAX = 10


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("--server", default="http://127.0.0.1:8080", help="the server's address")
    arguments.add_argument("--game", required=True, help="the game to play")
    arguments.add_argument("--bot", help="the bot to play against (default: the first in the lobby)")
    arguments.add_argument(
        "--schemas",
        type=pathlib.Path,
        required=True,
        help="the folder with protocol-client.json and protocol-server.json",
    )
    arguments.add_argument("--seed", type=int, help="make the same choices every time")
    arguments.add_argument(
        "--messages-per-second",
        type=float,
        default=18,
        help="stay below the server's limit (default: %(default)s)",
    )
    arguments = arguments.parse_args()

    said, heard = (
        json.loads((arguments.schemas / f"protocol-{side}.json").read_text()) for side in ("client", "server")
    )
    bot = arguments.bot or first_bot(arguments.server, arguments.game)
    token = over_http(arguments.server, "POST", "/auth/guest")["authToken"]
    address = arguments.server.replace("http", "ws", 1) + "/ws"
    with connect(address, max_size=None) as socket:
        line = Line(socket, said, heard, 1 / arguments.messages_per_second)
        player = Player(line, asks_of(said, arguments.game), random.Random(arguments.seed))
        line.say({"type": "hello", "protocol": 1, "token": token})
        line.say({"type": "play_bot", "game": arguments.game, "bot": bot})
        end = player.play()
    print(
        f"{arguments.game} against {bot}: seat {player.seat}, {end['outcome']}; "
        f"{line.n_said} messages sent and {line.n_heard} received, all as the schemas describe them"
    )


def over_http(server, method, path):
    request = urllib.request.Request(server + path, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def first_bot(server, game):
    games = over_http(server, "GET", "/api/lobby")["games"]
    of_game = [it for it in games if it["game"] == game]
    if not of_game:
        sys.exit(f"the server has no game {game!r}; it has {', '.join(it['game'] for it in games)}")
    return of_game[0]["bots"][0]["name"]


class Line:
    """A connection that exits at the first message, sent or received, that no schema describes."""

    def __init__(self, socket, said, heard, pause):
        self.socket, self.pause = socket, pause
        self.said, self.heard = Draft202012Validator(said), Draft202012Validator(heard)
        self.n_said = self.n_heard = 0

    def say(self, message):
        check(self.said, message, "sent")
        self.n_said += 1
        time.sleep(self.pause)
        self.socket.send(json.dumps(message))

    def hear(self):
        message = json.loads(self.socket.recv())
        self.n_heard += 1
        check(self.heard, message, "received")
        if message["type"] == "error":
            sys.exit(f"refused: {message['code']}: {message['message']}")
        return message


def check(validator, message, how):
    for error in validator.iter_errors(message):
        while error.context:
            error = nearest(error.context)
        sys.exit(
            f"no schema describes the message {how}: {json.dumps(message)[:2000]}\n"
            f"at /{'/'.join(map(str, error.absolute_path))}: {error.message[:2000]}"
        )


def nearest(faults):
    """The first fault of the closest alternative: of the same type, with the fewest faults."""
    choices = {}
    for fault in faults:
        choices.setdefault(fault.schema_path[0], []).append(fault)

    def distance(choice):
        return any(list(it.path) == ["type"] for it in choice), len(choice)

    return min(choices.values(), key=distance)[0]


class Player:
    """A player who decides whenever the rules accept a decision."""

    def __init__(self, line, asks, dice):
        self.line, self.asks, self.dice = line, asks, dice
        self.match_id = self.seat = self.end = None
        self.seq = self.question = 0
        self.acks, self.options = {}, {}
        # True if something has happened since the last attempt to decide.
        self.moved = False

    def play(self):
        while self.end is None:
            if self.moved and self.match_id is not None:
                self.moved = False
                self.decide()
            else:
                self.hear()
        return self.end

    def hear(self):
        message = self.line.hear()
        if message["type"] == "match_found":
            self.match_id, self.seat = message["match_id"], message["seat"]
            self.seq = message["next_seq"]
        elif message["type"] == "match_end":
            self.end = message
        elif message["type"] == "match":
            self.hear_of_match(message["message"])

    def hear_of_match(self, message):
        kind = message["type"]
        if kind == "ack":
            self.acks[message["client_seq"]] = message
        elif kind == "options":
            self.options[message["question"]] = message
        elif kind == "standing":
            self.moved = not self.asks.in_words or bool(message["legal"])
        elif kind == "news":
            self.moved |= not self.asks.in_words

    def decide(self):
        ask = self.compose() if self.asks.in_words else self.draw()
        if ask is None or self.end is not None:
            return
        seq, self.seq = self.seq, self.seq + 1
        self.line.say({"type": "ask", "match_id": self.match_id, "seq": seq, "ask": ask})
        while seq not in self.acks and self.end is None:
            self.hear()
        # The same player may have another decision right away.
        self.moved = True

    def compose(self):
        """Builds a decision word by word from the words that can follow."""
        words = []
        while True:
            options = self.consider(self.asks.of_words(words))
            if options is None or options["code"] is not None:
                return None
            if options["whole"]:
                return self.asks.of_words(words)
            if not options["legal"]:
                return None
            words.append(self.dice.choice(options["legal"]))

    def draw(self):
        """Draws decisions from the schema until the rules would accept one, or returns None."""
        reasons = []
        for _ in range(DRAWN_MAX):
            ask = self.asks.draw(self.dice)
            options = self.consider(ask)
            if options is None:
                return None
            if options["code"] is None and options["whole"]:
                return ask
            reasons = [it for it in reasons if it == options["code"]] + [options["code"]]
            if len(reasons) == REFUSED_ALIKE_MAX:
                return None
        return None

    def consider(self, ask):
        """Returns the server's answer to an ask that is not played; None once the match is over."""
        self.question += 1
        self.line.say({"type": "consider", "match_id": self.match_id, "question": self.question, "ask": ask})
        while self.question not in self.options:
            if self.end is not None:
                return None
            self.hear()
        return self.options.pop(self.question)


def asks_of(schema, game):
    """Finds the asks of a game. The schema's definitions for a game begin with its name."""
    name = f"{game.capitalize()}Ask"
    if name not in schema["$defs"]:
        sys.exit(f"the schema of the client's messages has no {name}")
    return Asks(schema["$defs"], schema["$defs"][name])


class Asks:
    """The asks of a game, as its schema describes them."""

    def __init__(self, definitions, schema):
        self.definitions, self.schema = definitions, schema
        lists = [name for name, it in schema["properties"].items() if it.get("type") == "array"]
        worded = [name for name in lists if self.is_word(schema["properties"][name]["items"])]
        self.words = worded[0] if worded else None

    @property
    def in_words(self):
        return self.words is not None

    def of_words(self, words):
        return {self.words: words}

    def is_word(self, schema):
        schema = self.resolved(schema)
        return "pattern" in schema or any(map(self.is_word, schema.get("anyOf", [])))

    def resolved(self, schema):
        while "$ref" in schema:
            schema = self.definitions[schema["$ref"].rsplit("/", 1)[1]]
        return schema

    def draw(self, dice, schema=None):
        """Draws a value that fits the schema; each alternative is equally likely."""
        schema = self.resolved(self.schema if schema is None else schema)
        for choices in ("anyOf", "oneOf"):
            if choices in schema:
                return self.draw(dice, dice.choice(schema[choices]))
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return dice.choice(schema["enum"])
        kind = schema.get("type")
        if kind == "object":
            return {name: self.draw(dice, it) for name, it in schema["properties"].items()}
        if kind == "array":
            length = dice.randint(schema.get("minItems", 0), schema["maxItems"])
            return [self.draw(dice, schema["items"]) for _ in range(length)]
        if kind == "integer":
            return dice.randint(schema["minimum"], schema["maximum"])
        if kind == "boolean":
            return dice.random() < 0.5
        if kind == "null":
            return None
        sys.exit(f"no value can be drawn from the schema {schema}")


if __name__ == "__main__":
    main()
