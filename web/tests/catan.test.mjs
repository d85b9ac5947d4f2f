// Catan in real browsers: complete matches, every phase, hidden cards, replays, sizes and keys.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { act, chooseCatan, offer, openTable, playOn, result, state, table } from "./catan.mjs";
import { DESKTOP, fits, online, PHONE, signIn, stage, TABLET, test, visitor } from "./support.mjs";

const axe = createRequire(import.meta.url)("axe-core");

const { server, browser } = await stage({
  REFEREE_TIMING: "catan.turn-ms=120000",
  REFEREE_BOT_BEAT_MS: "20",
  REFEREE_MESSAGES_PER_SECOND: "400",
});

/** Two people in a match of Catan. */
async function pair(points, names = ["Anna", "Bert"]) {
  const both = [await visitor(browser, server.url), await visitor(browser, server.url)];
  await signIn(both[0], names[0]);
  await openTable(both[0], points);
  const link = await both[0].page.locator(".invitation code").textContent();
  await signIn(both[1], names[1]);
  await both[1].page.goto(link);
  await Promise.all(both.map((who) => table(who).waitFor()));
  return both;
}

/** Checks that no received message names one of the opponent's development cards. */
function checkSecrets(who, seat) {
  let nViews = 0;
  for (const { way, message } of who.frames) {
    if (way !== "in" || message.type !== "match") continue;
    const { view, events } = message.message;
    if (view?.players && !view.outcome) {
      nViews += 1;
      assert.equal(view.players[1 - seat].own, null);
    }
    for (const event of events ?? []) {
      if (event.type === "DEVELOPMENT_BOUGHT" && event.player_id !== seat) assert.equal(event.card, undefined);
    }
  }
  assert.ok(nViews > 8);
}

test("two people play a match of Catan from sign-in to result, and neither receives the other's cards", async () => {
  const [anna, bert] = await pair(3);
  await Promise.all([playOn(anna, 0), playOn(bert, 1)]);
  await Promise.all([result(anna).waitFor(), result(bert).waitFor()]);
  const results = [
    await result(anna).getAttribute("data-result"),
    await result(bert).getAttribute("data-result"),
  ].sort();
  assert.deepEqual(results, ["lose", "win"]);
  checkSecrets(anna, 0);
  checkSecrets(bert, 1);
  await anna.shot("catan-result");
  await anna.page.getByRole("link", { name: "See the replay" }).click();
  await anna.page.locator(".frame[data-phase]").waitFor();
  await anna.page.getByText("every hash matches").waitFor();
  await anna.page.getByRole("button", { name: "Go to the end" }).click();
  await anna.page.locator('.frame[data-phase="GAME_OVER"]').waitFor();
  await anna.page.getByRole("radio", { name: "Bert" }).check({ force: true });
  await anna.page.locator('.frame[data-phase="GAME_OVER"]').waitFor();
  await anna.shot("catan-replay");
  await anna.close();
  await bert.close();
});

test("a match against a bot continues after a reload in every phase", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who, "Reloader");
  await openTable(who, 3, "Castaway");
  await table(who).waitFor();
  const reloaded = new Set();
  await playOn(who, 0, async (now) => {
    if (reloaded.has(now.phase)) return;
    reloaded.add(now.phase);
    await who.page.reload();
    await online(who);
    await table(who).waitFor();
    const again = await state(who);
    assert.deepEqual([again.phase, again.decides], [now.phase, now.decides]);
  });
  for (const phase of ["SETUP_SETTLEMENT", "SETUP_ROAD", "ROLL", "ACTION"])
    assert.ok(reloaded.has(phase), `${phase} was reloaded`);
  await result(who).waitFor();
  await who.close();
});

test("an unconfirmed choice can be undone, and an impossible one shows the reason", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who);
  await openTable(who, 15, "Castaway");
  await table(who).waitFor();
  const asked = () => who.frames.filter((it) => it.way === "out" && it.message.type === "ask").length;
  await who.page.locator(".place.vertex").first().click();
  await who.page.getByText("Confirm or undo.").waitFor();
  await who.page.getByRole("button", { name: "Undo" }).click();
  await who.page.getByText("Choose a place for a settlement.").waitFor();
  assert.equal(asked(), 0);
  await who.page.getByRole("button", { name: /^City/ }).click({ force: true });
  await who.page.getByText("You cannot do that now.").waitFor();
  await who.close();
});

/** The last standing that a page received. */
const standing = (who) => who.frames.filter((it) => it.message.message?.type === "standing").at(-1)?.message.message;

/** Plays until a turn in which `offers` returns an offer, and returns that offer with its players. */
async function untilOffer(both, offers) {
  for (const end = Date.now() + 180_000; Date.now() < end;) {
    const now = await state(both[0]);
    const seat = Number(now.decides);
    const who = both[seat];
    const own = who === undefined ? null : await state(who);
    if (own === null || own.decides !== now.decides) {
      await both[0].page.waitForTimeout(20);
      continue;
    }
    if (own.phase === "ACTION") {
      const found = offers(standing(who), seat);
      if (found !== null) return { who, other: both[1 - seat], seat, ...found };
      await who.page.getByRole("button", { name: "End turn" }).click();
      await who.page.locator('.table[data-phase="ACTION"]').waitFor({ state: "detached" });
    } else {
      await act(who);
    }
    await who.page.waitForTimeout(30);
  }
  assert.fail("no offer was ever possible");
}

test("an offer survives a reload before it is answered", async () => {
  const both = await pair(15, ["Offerer", "Answerer"]);
  const { who, other, give, get } = await untilOffer(both, (now) => {
    const word = now?.legal.find((it) => it.startsWith("offer:"));
    if (word === undefined) return null;
    const [give, get] = word.slice(6).split(">");
    return { give: [give], get: [get] };
  });
  await offer(who, give, get);
  await other.page.getByText(/offers .* for your/).waitFor();
  await other.page.reload();
  await other.page.getByText(/offers .* for your/).waitFor();
  await other.page.getByRole("button", { name: "Accept" }).click();
  await who.page.getByText("Build, trade, or end your turn.").waitFor();
  for (const it of both) await it.close();
});

test("an offer of several cards and kinds is shown, accepted and carried out", async () => {
  const both = await pair(15, ["Bundler", "Taker"]);
  /** Two cards of different kinds for two cards of another kind, if both players have them. */
  const { who, other, seat, give, get } = await untilOffer(both, (now, seat) => {
    if (!now?.legal.some((it) => it.startsWith("give:"))) return null;
    const kinds = Object.keys(now.view.bank);
    const [mine, theirs] = [seat, 1 - seat].map((it) => now.view.players[it].resources);
    const wanted = kinds.find((it) => theirs[it] >= 2);
    const given = kinds.filter((it) => mine[it] > 0 && it !== wanted);
    return wanted === undefined || given.length < 2 ? null : { give: given.slice(0, 2), get: [wanted, wanted] };
  });
  const before = standing(who).view.players.map((it) => it.resources);
  const send = who.page.getByRole("button", { name: "Send the offer" });
  if (!(await send.isVisible())) await who.page.locator("summary", { hasText: "Trade" }).click();
  await send.click({ force: true });
  await who.page.getByText("Put at least one card on each side.").waitFor();
  const step = (side, kind, which) =>
    who.page.locator(`.stepper[data-side="${side}"][data-kind="${kind}"] button`)[which]();
  await step("offer", give[0], "last").focus();
  await who.page.keyboard.press("Enter");
  assert.equal(
    await step("request", give[0], "last").getAttribute("aria-disabled"),
    "true",
    "a resource can be on one side only",
  );
  await step("offer", give[0], "first").click();
  await who.shot("catan-bundle");
  await offer(who, give, get);
  const name = { BRICK: "brick", LUMBER: "lumber", WOOL: "wool", GRAIN: "grain", ORE: "ore" };
  await other.page.getByText(`Bundler offers`).or(other.page.getByText("Taker offers")).first().waitFor();
  const told = await other.page.locator(".asked").textContent();
  assert.ok(told.includes(`offers 1 ${name[give[0]]}, 1 ${name[give[1]]} for your 2 ${name[get[0]]}.`), told);
  await other.page.getByRole("button", { name: "Accept" }).click();
  await who.page.getByText("Build, trade, or end your turn.").waitFor();
  const after = standing(who).view.players.map((it) => it.resources);
  for (const kind of Object.keys(before[0])) {
    const moved = get.filter((it) => it === kind).length - give.filter((it) => it === kind).length;
    assert.equal(after[seat][kind] - before[seat][kind], moved, kind);
    assert.equal(before[1 - seat][kind] - after[1 - seat][kind], moved, kind);
  }
  const asked = who.frames.filter((it) => it.way === "out" && it.message.type === "ask").at(-1).message;
  assert.match(JSON.stringify(asked), /"give:[A-Z]+","give:[A-Z]+","ask:[A-Z]+","ask:[A-Z]+","send"/);
  for (const it of both) await it.close();
});

async function faults(who, what) {
  await who.page.evaluate(axe.source);
  const found = await who.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const serious = found.violations.filter((it) => ["serious", "critical"].includes(it.impact));
  who.complaints.push(
    ...serious.map(
      (it) => `${what}: ${it.id}: ${it.nodes.map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`,
    ),
  );
}

const SIZES = [
  ["phone", PHONE, { hasTouch: true, isMobile: true, colorScheme: "light" }],
  ["tablet", TABLET, { colorScheme: "dark", locale: "fr-FR" }],
  ["desktop", DESKTOP, { colorScheme: "dark" }],
];

for (const [size, viewport, options] of SIZES) {
  test(`Catan works on a ${size}`, async () => {
    const who = await visitor(browser, server.url, { viewport, reducedMotion: "reduce", ...options, locale: "en-GB" });
    const look = async (what) => {
      await who.page.evaluate(() => scrollTo(0, 0));
      await who.page.waitForTimeout(200);
      await who.shot(`catan-${what}-${size}`);
      await fits(who, what);
      await faults(who, what);
    };
    await signIn(who, `Island ${size}`);
    await chooseCatan(who);
    await look("lobby");
    await who.go("/tutorial/catan");
    await who.page.getByRole("heading", { name: "An island for two" }).waitFor();
    await who.page.getByRole("button", { name: "Next" }).click();
    await look("tutorial");
    await who.go("/");
    await online(who);
    await openTable(who, 15);
    await who.page.getByRole("button", { name: "Copy link" }).waitFor();
    await look("table");
    await who.page.getByRole("button", { name: "Leave the lobby" }).click();
    await who.go("/");
    await online(who);
    await openTable(who, 15, "Castaway");
    await table(who).waitFor();
    await look("setup");
    for (let idx = 0; idx < 120; idx += 1) {
      const now = await state(who);
      if (now.decides !== "0") {
        await who.page.waitForTimeout(30);
        continue;
      }
      if (now.phase === "ACTION" && idx > 60) break;
      await act(who);
      await who.page.waitForTimeout(30);
    }
    await look("play");
    await who.page.locator("summary", { hasText: "Trade" }).click();
    await who.page.getByRole("button", { name: "Send the offer" }).waitFor();
    await look("trade");
    await who.close();
  });
}

test("Catan is played with the keyboard alone", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who, "Fingers");
  await openTable(who, 15, "Castaway");
  await table(who).waitFor();
  const { keyboard } = who.page;
  const focusPlace = async () => {
    for (let idx = 0; idx < 60; idx += 1) {
      await keyboard.press("Tab");
      if (await who.page.evaluate(() => document.activeElement?.hasAttribute("data-word") ?? false)) return;
    }
    assert.fail("Tab reaches no place on the board");
  };
  for (const phase of ["SETUP_SETTLEMENT", "SETUP_ROAD", "SETUP_SETTLEMENT", "SETUP_ROAD"]) {
    await who.page.locator(`.table[data-phase="${phase}"][data-decides="0"]`).waitFor();
    await focusPlace();
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await who.page.getByText("Confirm or undo.").waitFor();
    await keyboard.press("c");
    await who.page.getByText("Confirm or undo.").waitFor({ state: "detached" });
  }
  await who.page.locator('.table[data-phase="ROLL"][data-decides="0"]').waitFor();
  await keyboard.press("r");
  await who.page.locator("[data-dice]").waitFor();
  await who.close();
});
