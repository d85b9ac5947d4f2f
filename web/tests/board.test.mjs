// The generic board without a browser: choices and their keys, sentences, lobbies and rules documents.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { test } from "./support.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const RULES = join(root, "../docs/rules");

let vite;
/** The modules of the generic board, by file name. */
const board = {};
before(async () => {
  // The texts read the language of the browser.
  globalThis.navigator ??= { language: "en" };
  vite = await createServer({
    root,
    logLevel: "error",
    appType: "custom",
    server: { middlewareMode: true, ws: false },
  });
  for (const name of ["choices", "faces", "layout", "lobby", "markdown", "position", "tell", "texts"])
    board[name] = await vite.ssrLoadModule(`/src/games/generic/${name}.ts`);
});
after(() => vite?.close());

const bid = (n, face) => ({ word: `bid:${n}x${face}`, label: `${n} × ${"⚀⚁⚂⚃⚄⚅"[face - 1]}`, group: "Bid" });
const LIAR = { word: "liar", label: "Liar!", group: null };
const FACES = [1, 2, 3, 4, 5, 6];

test("labels of the form A × B make a table, and other choices come before it", () => {
  const { arrange, choicesOf } = board.choices;
  // After a bid of 3 × ⚄, the row of threes has one choice.
  const bids = [bid(3, 6), ...FACES.map((face) => bid(4, face)), ...FACES.map((face) => bid(10, face))];
  const [row, table] = arrange([...bids, LIAR]);
  assert.deepEqual(
    row.choices.map((it) => [it.word, it.key]),
    [["liar", "l"]],
  );
  assert.deepEqual(table.columns, [..."⚀⚁⚂⚃⚄⚅"]);
  assert.deepEqual(
    table.rows.map((it) => it.name),
    ["3", "4", "10"],
    "rows are in the order of their numbers",
  );
  assert.deepEqual(
    table.rows[0].cells.map((it) => it?.word ?? null),
    [null, null, null, null, null, "bid:3x6"],
  );
  const keyed = choicesOf(table).filter((it) => it.key !== null);
  assert.deepEqual(
    keyed.map((it) => [it.key, it.word]),
    [
      ["6", "bid:3x6"],
      ["1", "bid:4x1"],
      ["2", "bid:4x2"],
      ["3", "bid:4x3"],
      ["4", "bid:4x4"],
      ["5", "bid:4x5"],
    ],
    "the key of a column plays its first choice",
  );
});

test("no key plays two choices, and the first letter of a label comes first", () => {
  const { arrange, choicesOf } = board.choices;
  const labels = ["Stand", "Hit", "Split", "3", "×", "…"];
  const [row] = arrange(labels.map((label) => ({ word: label, label, group: null })));
  assert.deepEqual(
    row.choices.map((it) => it.key),
    ["s", "h", "p", "3", "1", "2"],
  );
  const many = Array.from({ length: 60 }, (_, idx) => ({ word: `${idx}`, label: "Play", group: null }));
  const keys = arrange(many)
    .flatMap(choicesOf)
    .map((it) => it.key)
    .filter((it) => it !== null);
  assert.equal(keys.length, 35);
  assert.equal(new Set(keys).size, 35);
});

test("groups keep their order, and no choice is lost", () => {
  const { arrange, choicesOf } = board.choices;
  const choices = ["b:1", "a:1", "b:2", "c"].map((word) => ({
    word,
    label: word,
    group: word.split(":")[1] === undefined ? null : word[0],
  }));
  const groups = arrange(choices);
  assert.deepEqual(
    groups.map((it) => it.name),
    ["b", "a", null],
  );
  assert.deepEqual(
    groups
      .flatMap(choicesOf)
      .map((it) => it.word)
      .sort(),
    ["a:1", "b:1", "b:2", "c"],
  );
});

test("every element of a picture that plays a word is found", () => {
  const element = (word) => ({ text: "", face: null, tone: "plain", x: 0, y: 0, word });
  const parts = [
    { type: "text", text: "liar" },
    { type: "cards", title: "", seat: null, cards: [element("a"), element(null)] },
    { type: "grid", columns: 1, cells: [element("b")] },
    { type: "graph", nodes: [element("c")], edges: [] },
  ];
  assert.deepEqual([...board.choices.wordsIn({ parts })], ["a", "b", "c"]);
});

test("dice in texts are drawn, and screen readers read their numbers", () => {
  const { dieOf, runsOf, spoken, withNames, isRed } = board.faces;
  assert.deepEqual([..."⚀⚅A"].map(dieOf), [1, 6, null]);
  assert.equal(dieOf("⚀⚀"), null);
  assert.deepEqual(runsOf("Bid 3 × ⚄."), [[{ text: "Bid" }], [{ text: "3\u00a0×\u00a0" }, { die: 5 }, { text: "." }]]);
  assert.equal(spoken("3 × ⚄"), "3 × 5");
  assert.equal(withNames("@1 doubts @0 and @7", ["Anna", "Bert"]), "Bert doubts Anna and @7");
  assert.deepEqual(["Q♥", "9♦", "A♠"].map(isRed), [true, true, false]);
});

test("the log names the players and counts draws", () => {
  const { linesOf, tellEvents, landmarkOf } = board.tell;
  const names = ["Anna", "Bert"];
  const over = { type: "MATCH_ENDED", outcome: { reason: "normal", result: "win", truncated: false, winners: [0] } };
  const events = [
    { type: "DREW" },
    { type: "DREW" },
    { type: "PLAYED", player_id: 1, word: "bid:3x5", label: "3 × ⚄" },
    { type: "SAID", text: "@1 loses a die." },
    { type: "DREW" },
    { type: "PLAYER_LEFT", player_id: 1, cause: "resign" },
    over,
  ];
  const { en, fr } = board.texts.texts;
  assert.deepEqual(
    linesOf(events, names, en).map((it) => [it.seat, it.text]),
    [
      [null, "2 random draws."],
      [1, "Bert: 3 × ⚄"],
      [null, "Bert loses a die."],
      [null, "A random draw."],
      [1, "Bert gave up."],
      [null, "The match is over."],
    ],
  );
  assert.equal(tellEvents([], names, en), null);
  assert.equal(tellEvents([over], names, fr), "La partie est terminée.");
  assert.equal(landmarkOf([over], 4, en), "End");
  assert.equal(landmarkOf([{ type: "SAID", text: "" }], 4, en), "Move 4");
  assert.equal(landmarkOf([{ type: "DREW" }], 4, en), null);
});

test("a view replaces the one before it, keeps the log, and a decision in flight allows no other", () => {
  const { standing, happen, recall, echo } = board.position;
  const view = (n) => ({ turn_number: n, choices: [LIAR], picture: { parts: [] }, to_move: [0] });
  const played = { type: "PLAYED", player_id: 0, word: "liar", label: "Liar!" };
  const first = recall(standing(null, view(1)), [{ type: "DREW" }]);
  assert.deepEqual(first.recent, []);
  const sent = echo(first);
  assert.deepEqual(sent.choices, []);
  const next = standing(happen(sent, [played]), view(2));
  assert.deepEqual(next.choices, [LIAR]);
  assert.deepEqual(next.recent, [played]);
  assert.deepEqual(next.log, [{ type: "DREW" }, played]);
  assert.equal(next.beat, first.beat + 1);
});

test("hidden faces are dice from the first view with dice on", () => {
  const { standing } = board.position;
  const view = (face) => ({
    choices: [],
    picture: { parts: [{ type: "cards", title: "", seat: 0, cards: [{ face, tone: "plain", word: null }] }] },
  });
  const hidden = standing(null, view(null));
  assert.equal(hidden.dice, false);
  const shown = standing(hidden, view("⚂"));
  assert.equal(shown.dice, true);
  assert.equal(standing(shown, view(null)).dice, true);
});

const cards = (seat, face) => ({ type: "cards", title: "", seat, cards: [{ face, tone: "plain", word: null }] });

test("the last row of each player lies in front of them, and everything else on the board", () => {
  const text = { type: "text", text: "@0 lost a die." };
  const [shown, bid] = [cards(0, "⚂"), cards(null, "⚅")];
  const { front, board: rest } = board.layout.layOut({ parts: [text, shown, bid, cards(0, null), cards(1, null)] });
  assert.deepEqual(
    [...front],
    [
      [0, cards(0, null)],
      [1, cards(1, null)],
    ],
  );
  assert.deepEqual(rest, [text, shown, bid]);
});

test("a replay of all seats shows each player's own cards", () => {
  const text = { type: "text", text: "No bid yet." };
  const view = (own) => ({
    picture: { parts: [cards(1, "⚁"), text, cards(0, own === 0 ? "⚀" : null), cards(1, own === 1 ? "⚅" : null)] },
  });
  const { parts } = board.layout.together([view(0), view(1)]);
  assert.deepEqual(parts, [cards(1, "⚁"), text, cards(0, "⚀"), cards(1, "⚅")]);
});

test("a lobby has the server's setup for its number of players", () => {
  const { seated, sit, orderOf } = board.lobby;
  const offer = { game: "dice", setups: [2, 3].map((seats) => ({ seats, setup: { seats, dice: 5 } })) };
  assert.deepEqual(seated(["guest"], 2, "mcts"), ["guest", "bot:mcts"]);
  assert.deepEqual(seated([], 1, null), ["guest"]);
  assert.deepEqual(orderOf(offer, ["guest", "bot:mcts"]), {
    game: "dice",
    setup: { seats: 3, dice: 5 },
    seats: ["host", "guest", { bot: "mcts" }],
  });
  assert.deepEqual(orderOf({ game: "duel", setups: [] }, ["beside"]), { game: "duel", seats: ["host", "beside"] });
  assert.deepEqual(sit(["guest", "bot:mcts", "guest"], 1, "beside"), ["beside", "beside", "beside"]);
  assert.deepEqual(sit(["beside", "bot:mcts"], 1, "bot:random"), ["beside", "bot:random"]);
});

test("the reason for an outcome is addressed to the reader", () => {
  const { en, fr } = board.texts.gameTexts({ name: "dice", title: "Dice", summary: "Roll." });
  const outcome = (more) => ({ reason: "resign", result: "win", truncated: false, winners: [0], ...more });
  const names = ["Anna", "Bert"];
  assert.equal(en.reason(outcome(), 0, names), "Bert gave up.");
  assert.equal(en.reason(outcome(), 1, names), "You gave up.");
  assert.equal(fr.reason(outcome(), null, names), "Bert a abandonné.");
  assert.equal(en.reason(outcome({ reason: "last_with_dice" }), 0, names), "Last with dice.");
  assert.match(en.reason(outcome({ result: "void", winners: [] }), 0, names), /called off/);
  assert.equal(en.title, "Dice");
  assert.equal(fr.tagline, "Roll.");
});

test("rules documents are read without losing a word", () => {
  const { blocksOf } = board.markdown;
  const documents = readdirSync(RULES).filter((it) => it.endsWith(".md"));
  assert.ok(documents.length >= 3);
  const plain = (text) => text.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
  for (const name of documents) {
    const text = readFileSync(join(RULES, name), "utf8").replaceAll(/<!--[\s\S]*?-->/g, "");
    const said = [];
    const collect = (it) => {
      if (typeof it === "object" && it !== null) {
        if (typeof it.text === "string") said.push(it.text);
        else for (const value of Object.values(it)) collect(value);
      }
    };
    collect(blocksOf(text));
    const [, body] = /^# .*\n([\s\S]*)$/.exec(text);
    const wanted = body
      .replaceAll(/\]\([^)]*\)/g, "]")
      .replaceAll(/^```.*$/gm, "")
      .replaceAll(/^\s*\d+\. /gm, "");
    assert.equal(plain(said.join(" ")).replaceAll(" ", ""), plain(wanted).replaceAll(" ", ""), name);
  }
});

test("rules documents keep their lists, tables and code", () => {
  const { blocksOf } = board.markdown;
  const text =
    "# Title\nOne *two* **three**\nfour `x*y*`.\n- a\n  b\n- [c](d.md)\n  - e\n    f\n\n| h | i |\n| --- | ---: |\n| 1 | 2 |\n```sh\nrun it\n```\n1. first\n";
  const [paragraph, list, table, code, ordered] = blocksOf(text);
  assert.deepEqual(
    paragraph.spans.map((it) => it.style),
    ["plain", "emphasis", "plain", "strong", "plain", "code", "plain"],
  );
  assert.deepEqual(
    list.items.map((it) => [it.spans[0].text, ...it.inner.map((spans) => spans[0].text)]),
    [["a b"], ["c", "e f"]],
  );
  assert.equal(table.rows.length, 1);
  assert.equal(table.rows[0][1][0].text, "2");
  assert.equal(code.text, "run it");
  assert.equal(ordered.ordered, true);
});
