// A game without a page of its own: Liar's Dice on the generic board.
// Promise: A game that has only its rules can be played, watched and replayed on the page.

import assert from "node:assert/strict";
import { choice, chooseDice, myTurn, openTable, playBot, playOn, result, standing, table, TITLE } from "./dice.mjs";
import { faults, look, reachable, SIZES } from "./inspect.mjs";
import {
  fits,
  giveUp,
  meddleWith,
  online,
  said,
  signIn,
  stage,
  startServer,
  test,
  until,
  visitor,
} from "./support.mjs";

/** A phone of the usual size. */
const POCKET = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" };
const BESIDE = "Someone next to you, on this screen";
const GUEST = "Another player, by link";

const { server, browser } = await stage({
  REFEREE_TIMING: "liars_dice.turn-ms=120000",
  REFEREE_BOT_BEAT_MS: "20",
  REFEREE_MESSAGES_PER_SECOND: "400",
});

/** The words of the decisions that a page has sent. */
const asked = (who) => said(who, "ask").map((it) => it.ask.actions[0]);

/** Whether the row above the last bid still has its last two columns: a random opponent may have
 * opened with a bid so high that it has not. */
function hasRowAbove(words) {
  const count = Number(/^bid:(\d+)x/.exec(words.at(-1) ?? "")?.[1] ?? 1) - 1;
  return words.includes(`bid:${count}x5`) && words.includes(`bid:${count}x6`);
}

/** Presses Tab until the focus is on an element that matches. */
async function tabTo(who, selector) {
  for (let idx = 0; idx < 120; idx += 1) {
    if (await who.page.evaluate((it) => document.activeElement?.matches(it) ?? false, selector)) return;
    await who.page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${selector}`);
}

test("a whole match is played with the keyboard alone", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who, "Fingers");
  const { keyboard } = who.page;
  await who.page.getByRole("radio", { name: TITLE }).waitFor({ state: "attached" });
  await tabTo(who, "input[type=radio]");
  for (let idx = 0; idx < 12; idx += 1) {
    if (await who.page.getByRole("radio", { name: TITLE }).isChecked()) break;
    await keyboard.press("ArrowRight");
  }
  await who.page.getByRole("button", { name: "Play: Rookie" }).waitFor();
  await tabTo(who, '[aria-label="Play: Rookie"]');
  await keyboard.press("Enter");
  await table(who).waitFor();
  let walked = false;
  await playOn(who, async (words) => {
    const nAsked = asked(who).length;
    let played = null;
    if (!walked && hasRowAbove(words)) {
      // The arrow keys reach every bid: from the last one, one row up and one column to the left.
      walked = true;
      await tabTo(who, ".actions [data-word]");
      await keyboard.press("End");
      assert.equal(await who.page.evaluate(() => document.activeElement.dataset.word), words.at(-1));
      await keyboard.press("ArrowUp");
      await keyboard.press("ArrowLeft");
      const word = await who.page.evaluate(() => document.activeElement.dataset.word);
      assert.match(word, /^bid:\d+x5$/);
      await keyboard.press("Home");
      await keyboard.press("Enter");
    } else if (words.includes("liar")) {
      played = "liar";
      await keyboard.press("l");
    } else {
      // A digit plays the lowest bid of its face.
      played = words.find((it) => it.endsWith("x6"));
      await keyboard.press("6");
    }
    await until(() => asked(who).length > nAsked, "the decision is sent");
    assert.equal(asked(who).length, nAsked + 1);
    if (played !== null) assert.equal(asked(who).at(-1), played);
  });
  assert.ok(walked);
  await result(who).waitFor();
  assert.ok(asked(who).includes("liar"));
  await who.close();
});

test("a whole match is played by touch alone on a phone, and nothing jumps", async () => {
  // The bot waits longer than a browser attributes a shift to the last touch.
  const slow = await startServer({ REFEREE_TIMING: "liars_dice.turn-ms=120000", REFEREE_BOT_BEAT_MS: "700" });
  const who = await visitor(browser, slow.url, POCKET);
  await signIn(who, "Thumbs");
  await chooseDice(who);
  await who.page.getByRole("button", { name: "Play: Rookie" }).tap();
  await table(who).waitFor();
  await watchShifts(who);
  const n = await playOn(who, async (words, idx) => {
    const word = words.includes("liar") && idx > 0 ? "liar" : words[Math.min(7, words.length - 1)];
    await choice(who, word).tap();
  });
  assert.ok(n > 4, `${n} decisions`);
  await result(who).waitFor();
  await assertStill(who);
  await who.close();
  await slow.stop();
});

test("nothing jumps on a desktop", async () => {
  const slow = await startServer({ REFEREE_TIMING: "liars_dice.turn-ms=120000", REFEREE_BOT_BEAT_MS: "700" });
  const who = await visitor(browser, slow.url, { reducedMotion: "reduce" });
  await signIn(who, "Steady");
  await playBot(who);
  await watchShifts(who);
  await playOn(who, (words) => choice(who, words.includes("liar") ? "liar" : words[0]).click());
  await result(who).waitFor();
  await assertStill(who);
  await who.close();
  await slow.stop();
});

/** Adds up the layout shifts until the result appears, which moves the board on purpose. */
async function watchShifts(who) {
  await who.page.evaluate(() => {
    globalThis.shifts = { sum: 0, sources: [] };
    new PerformanceObserver((list) => {
      if (document.querySelector("[data-result]") !== null) return;
      for (const it of list.getEntries()) {
        if (it.hadRecentInput) continue;
        globalThis.shifts.sum += it.value;
        for (const source of it.sources)
          globalThis.shifts.sources.push(`${source.node?.className ?? source.node?.nodeName} ${it.value.toFixed(4)}`);
      }
    }).observe({ type: "layout-shift" });
  });
}

async function assertStill(who) {
  const { sum, sources } = await who.page.evaluate(() => globalThis.shifts);
  assert.ok(sum < 0.05, `${sum}: ${sources.join(", ")}`);
}

/** The seats whose dice a page could see in the hands of a match that is not over. */
function handsSeen(who) {
  const views = who.frames.flatMap(({ way, message }) =>
    way === "in" && message.message?.type === "standing" ? [message.message.view] : [],
  );
  const seen = views.flatMap((view) =>
    view.outcome ? [] : view.state.dice.flatMap((hand, seat) => (hand.some((face) => face > 0) ? [seat] : [])),
  );
  return [...new Set(seen)];
}

test("two people and a bot share a screen, and only the dice of the player in front are sent", async () => {
  const who = await visitor(browser, server.url);
  const curtain = who.page.locator("[data-curtain]");
  await signIn(who, "Family");
  await openTable(who, [BESIDE, "Rookie"]);
  await curtain.waitFor();
  assert.deepEqual(handsSeen(who), [], "no dice are sent before a player sits down");
  const sitDown = async () => {
    const name = await curtain.getAttribute("data-curtain");
    who.frames.length = 0;
    await who.page.getByRole("button", { name: /show the board/ }).click();
    await table(who).waitFor();
    await myTurn(who, null);
    return name;
  };
  assert.equal(await sitDown(), "Family (1)");
  await choice(who, "bid:1x1").click();
  await curtain.waitFor();
  assert.deepEqual(handsSeen(who), [0]);
  assert.equal(await sitDown(), "Family (2)");
  await choice(who, "liar").click();
  // The loser of the call starts the next round, and the bot is never called to the screen.
  await who.page
    .getByText(/lost a die/)
    .first()
    .waitFor();
  assert.deepEqual(handsSeen(who), [1]);
  await who.close();
});

test("three people play by link, and each sees only their own dice", async () => {
  const all = [];
  for (const name of ["Anna", "Bert", "Cleo"]) {
    const who = await visitor(browser, server.url);
    await signIn(who, name);
    all.push(who);
  }
  await openTable(all[0], [GUEST, GUEST]);
  const link = await all[0].page.locator(".invitation code").textContent();
  for (const who of all.slice(1)) await who.page.goto(link);
  await Promise.all(all.map((who) => table(who).waitFor()));
  let n = 0;
  await Promise.all(
    all.map((who) =>
      playOn(who, (words) => {
        n += 1;
        return choice(who, words.includes("liar") ? "liar" : words[0]).click();
      }),
    ),
  );
  assert.ok(n > 15, `${n} decisions`);
  const results = [];
  for (const [seat, who] of all.entries()) {
    assert.deepEqual(handsSeen(who), [seat]);
    results.push(await result(who).getAttribute("data-result"));
  }
  assert.deepEqual(results.sort(), ["lose", "lose", "win"]);
  for (const who of all) await who.close();
});

test("a spectator without an account watches bots, sees no dice in hands and has nothing to choose", async () => {
  const slow = await startServer({ REFEREE_BOT_PAUSE_MS: "1500", REFEREE_BOT_BEAT_MS: "1500" });
  const host = await visitor(browser, slow.url);
  await signIn(host);
  await chooseDice(host);
  await host.page.getByRole("button", { name: "Start and watch" }).click();
  await host.page.getByText(/You are watching/).waitFor();
  const stranger = await visitor(browser, slow.url);
  await stranger.go(new URL(host.page.url()).pathname);
  await stranger.page.getByText(/You are watching: Thinker vs Rookie/).waitFor();
  await table(stranger).waitFor();
  await stranger.page.locator(".log li").nth(1).waitFor();
  await stranger.page
    .locator(".log")
    .getByText(/^(Thinker|Rookie): /)
    .first()
    .waitFor();
  assert.equal(await stranger.page.locator("[data-word]").count(), 0);
  assert.deepEqual(handsSeen(stranger), []);
  await fits(stranger, "spectator");
  await faults(stranger, "spectator");
  await host.close();
  await stranger.close();
  await slow.stop();
});

test("a match is replayed with words and jump targets, from every point of view", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who, "Historian");
  await playBot(who);
  await playOn(who, (words) => choice(who, words.includes("liar") ? "liar" : words[0]).click());
  await who.page.getByRole("link", { name: "See the replay" }).click();
  const frame = who.page.locator("div.frame");
  await frame.waitFor();
  await who.page.getByText("every hash matches").waitFor();
  const own = frame.locator('[data-seat="0"] [role=img]');
  const hidden = async () => (await own.evaluateAll((all) => all.map((it) => it.ariaLabel))).join();
  const step = who.page.getByRole("button", { name: "Step forward" });
  await step.click();
  await step.click();
  assert.match(await hidden(), /^(face down,?)+$/);
  await who.page.getByRole("radio", { name: "All players" }).check();
  await until(async () => /^(die \d,?)+$/.test(await hidden()), "the dice are shown");
  assert.match(
    (await frame.locator('[data-seat="1"] [role=img]').first().getAttribute("aria-label")) ?? "",
    /^die \d$/,
  );
  await who.page
    .locator(".told")
    .getByText(/^Historian: |^Rookie: /)
    .waitFor();
  await who.page.getByRole("group", { name: "Jump to" }).getByRole("button", { name: "End" }).click();
  await who.page.locator('.frame[data-over="true"]').waitFor();
  await who.page.locator(".told").getByText("The match is over.").waitFor();
  await fits(who, "replay");
  await faults(who, "replay");
  await who.close();
});

test("a reload in the middle of a match keeps the board, the choices and the log", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who, "Reloader");
  await playBot(who);
  let beat = await myTurn(who, null);
  await choice(who, "bid:1x1").click();
  beat = await myTurn(who, beat);
  assert.notEqual(beat, null);
  const before = standing(who).view;
  const last = await who.page.locator(".log li").first().textContent();
  // A bot that calls the bid a lie ends the round, and new dice are rolled.
  assert.match(last, /^Rookie: |random/);
  await who.page.reload();
  await online(who);
  await myTurn(who, null);
  const { choices, picture, turn_number } = standing(who).view;
  assert.deepEqual(
    { choices, picture, turn_number },
    {
      choices: before.choices,
      picture: before.picture,
      turn_number: before.turn_number,
    },
  );
  await until(async () => (await who.page.locator(".log li").first().textContent()) === last, "the log is back");
  await who.close();
});

for (const [size, viewport, options] of [...SIZES, ["pocket", POCKET.viewport, { ...POCKET, colorScheme: "dark" }]]) {
  test(`Liar's Dice works on a ${size}`, async () => {
    const who = await visitor(browser, server.url, { viewport, reducedMotion: "reduce", ...options });
    await signIn(who, `Dice ${size}`);
    await chooseDice(who);
    await look(who, `dice-lobby-${size}`);
    await who.go("/tutorial/liars_dice");
    await who.page.getByRole("heading", { name: TITLE, level: 1 }).waitFor();
    await who.page.getByRole("heading", { name: "Rules", exact: true }).waitFor();
    await look(who, `dice-tutorial-${size}`);
    await who.go("/");
    await online(who);
    await openTable(who, ["Rookie", "Rookie", "Thinker"]);
    await table(who).waitFor();
    await myTurn(who, null);
    await look(who, `dice-start-${size}`);
    await reachable(who, `dice-start-${size}`);
    // After two rounds, the board shows the last call.
    let nCalls = 0;
    let beat = null;
    while (nCalls < 2) {
      beat = await myTurn(who, beat);
      assert.notEqual(beat, null);
      const word = (await choice(who, "liar").count()) > 0 ? "liar" : "bid:1x1";
      if (word === "liar") nCalls += 1;
      await choice(who, word).click();
    }
    await myTurn(who, beat);
    await look(who, `dice-play-${size}`);
    await giveUp(who);
    await who.page.locator("[data-result], [data-left]").first().waitFor();
    await look(who, `dice-left-${size}`);
    await who.close();
  });
}

test("the page around the game speaks French and respects the color-blind palette", async () => {
  const who = await visitor(browser, server.url, { locale: "fr-FR", colorScheme: "light" });
  await who.go("/");
  await who.page.getByRole("button", { name: "Jouer tout de suite en invité" }).click();
  await online(who);
  await who.go("/settings");
  await who.page.getByRole("radio", { name: "Adaptées au daltonisme" }).check();
  await who.go("/");
  await online(who);
  await chooseDice(who);
  await who.page.getByRole("button", { name: "Jouer: Novice" }).click();
  await table(who).waitFor();
  await myTurn(who, null);
  await who.page.locator(".asked", { hasText: "À vous : choisissez." }).waitFor();
  await who.page.getByRole("heading", { name: "Journal de la partie" }).waitFor();
  await faults(who, "match in French");
  await fits(who, "match in French");
  await who.shot("dice-french");
  await who.close();
});

test("rankings list every game, and only games with leagues have league points", async () => {
  const who = await visitor(browser, server.url);
  await who.go("/leaderboard");
  const overview = await (await fetch(`${server.url}/api/lobby`)).json();
  await who.page.getByRole("radio", { name: TITLE }).waitFor({ state: "attached" });
  assert.equal(await who.page.getByRole("group", { name: "Game" }).getByRole("radio").count(), overview.games.length);
  for (const game of overview.games) {
    await who.page.getByRole("radio", { name: game.title }).check({ force: true });
    const order = who.page.getByRole("group", { name: "Sort by" });
    if (game.has_leagues) await order.waitFor();
    else await order.waitFor({ state: "detached" });
  }
  await who.close();
});

/** A board of squares and a board of places, on which the first choices can be played. */
function boards(choices) {
  const element = (idx) => ({ text: `${idx + 1}`, tone: "plain", word: choices[idx]?.word ?? null });
  const cells = [0, 1, 2, 3, 4, 5].map((idx) => ({ ...element(idx), tone: idx === 5 ? "muted" : "good" }));
  const places = [
    { ...element(0), x: 0, y: 1000 },
    { ...element(1), x: 500, y: 0 },
    { ...element(2), x: 1000, y: 1000 },
  ];
  const edges = [
    [0, 1],
    [1, 2],
  ];
  return [
    { type: "grid", columns: 3, cells },
    { type: "graph", nodes: places, edges },
  ];
}

for (const [size, viewport, options] of SIZES) {
  test(`squares and places of a picture are drawn and played (${size})`, async () => {
    const who = await visitor(browser, server.url, { viewport, ...options });
    const asks = [];
    await meddleWith(who, ({ toPage, toServer }) => ({
      heard(message) {
        const view = message.message?.view;
        view?.picture?.parts.push(...boards(view.choices));
        toPage(message);
      },
      said(message) {
        if (message.type === "ask") asks.push(message.ask.actions[0]);
        toServer(message);
      },
    }));
    await signIn(who);
    await playBot(who);
    let beat = null;
    for (const [kind, nShown] of [
      [".grid", 6],
      [".graph", 3],
    ]) {
      beat = await myTurn(who, beat);
      assert.notEqual(beat, null, "the match is over");
      const board = who.page.locator(`.board ${kind}`);
      await board.waitFor();
      assert.equal(await board.locator(".cell, .node").count(), nShown);
      if (kind === ".graph") assert.equal(await board.locator("line").count(), 2);
      await fits(who, `picture-${size}`);
      await faults(who, `picture-${size}`);
      const place = board.locator("[data-word]").first();
      const word = await place.getAttribute("data-word");
      await place.click();
      await until(() => asks.length > 0, "the decision is sent");
      assert.deepEqual(asks.splice(0), [word]);
    }
    await who.close();
  });
}
