// Complete matches, from sign-in to result.

import assert from "node:assert/strict";
import {
  confirm,
  lay,
  LAYOUTS,
  phase,
  playBot,
  playOn,
  queue,
  signIn,
  stage,
  startServer,
  test,
  visitor,
} from "./support.mjs";

const { server, browser } = await stage();

/** Two people in one match, at the first round. */
async function pair(names = ["Grom", "Zug"]) {
  const both = [await visitor(browser, server.url), await visitor(browser, server.url)];
  for (const [idx, who] of both.entries()) await signIn(who, names[idx]);
  await queue(both[0]);
  await both[0].page.getByText(/Looking for an opponent/).waitFor();
  await queue(both[1]);
  await Promise.all(both.map((who) => phase(who, "PREP", 1)));
  return both;
}

test("two people play a match from sign-in to result, and each sees the right result", async () => {
  const [grom, zug] = await pair();
  await grom.page.getByText("Keep this page open").waitFor();
  await grom.page.getByText("Pot 2").waitFor();
  const [one, other] = await Promise.all([playOn(grom, LAYOUTS.attacker), playOn(zug, ["Heal", "Counter", "Defense"])]);
  const results = [await one.getAttribute("data-result"), await other.getAttribute("data-result")].sort();
  assert.deepEqual(results, ["lose", "win"]);
  const [winner, loser] = (await one.getAttribute("data-result")) === "win" ? [grom, zug] : [zug, grom];
  await winner.page.getByText("You have more hit points.").waitFor();
  await winner.page.getByText(/5 league points \(\+5\)/).waitFor();
  await loser.page.getByText(/has more hit points\./).waitFor();
  await winner.page.locator("header").getByText("11", { exact: true }).waitFor();
  await winner.page.getByRole("button", { name: "Play again" }).waitFor();
  await winner.page.getByRole("button", { name: "Back to home" }).click();
  await winner.page.getByRole("heading", { name: "Orcain" }).waitFor();
  await grom.close();
  await zug.close();
});

test("all three exchanges stay on the board, and earlier rounds stay in the log", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who);
  await playBot(who);
  await lay(who, LAYOUTS.attacker);
  // The last exchange is shown only for a moment, which the test could miss from outside the page.
  await who.page.evaluate(() => {
    globalThis.most = 0;
    const look = () =>
      (globalThis.most = Math.max(
        globalThis.most,
        document.querySelectorAll('[data-far]:not([data-far="hidden"])').length,
      ));
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await confirm(who);
  await phase(who, "PREP", 2);
  assert.equal(await who.page.evaluate(() => globalThis.most), 3);
  const round = who.page.getByRole("region", { name: "Game log" }).getByRole("listitem");
  assert.equal(await round.count(), 3);
  await who.close();
});

// Promise: No opponent's card reaches a browser before its reveal.
test("no opponent's card reaches a browser before the reveal", async () => {
  const [grom, zug] = await pair(["Watcher", "Secretive"]);
  await phase(grom, "PREP", 1);
  const seen = grom.frames.filter((it) => it.way === "in").length;
  const chatter = () => grom.frames.filter((it) => it.way === "in" && it.message.type !== "pong").length;
  const before = chatter();
  for (const card of ["Attack", "Heal", "Counter"]) {
    await lay(zug, [card]);
    await zug.page.waitForTimeout(120);
  }
  await zug.page.getByText("Saved", { exact: true }).waitFor();
  await confirm(zug);
  await zug.page.getByText("Confirmed. Your opponent is thinking").waitFor();
  await grom.page.waitForTimeout(300);
  assert.equal(chatter(), before, "the opponent's drafts and confirmation cause no frame");
  assert.ok(seen > 0);
  await lay(grom, LAYOUTS.attacker);
  await confirm(grom);
  await phase(grom, "PREP", 2);
  checkSecrets(grom, 0);
  checkSecrets(zug, 1);
  for (const who of [grom, zug]) {
    who.page.on("dialog", (dialog) => dialog.accept());
    await who.close();
  }
});

/** Before the first reveal, cards appear only where everyone may see them, or in the viewer's own layout. */
function checkSecrets(who) {
  const messages = who.frames.filter((it) => it.way === "in").map((it) => it.message);
  const found = messages.find((it) => it.type === "match_found");
  let nChecked = 0;
  for (const { type, message } of messages) {
    if (type !== "match") continue;
    if (message.type === "news" && message.events.some((it) => it.type === "STEP_REVEALED"))
      return assert.ok(nChecked > 2);
    const open = structuredClone(message);
    if (open.type === "standing") {
      assert.equal(open.view.own.player_id, found.seat);
      delete open.view.hands;
      delete open.view.own;
    }
    for (const event of open.events ?? []) {
      if ("player_id" in event) assert.equal(event.player_id, found.seat, JSON.stringify(event));
    }
    assert.doesNotMatch(JSON.stringify(open), /attack|defense|heal|counter/, "a card leaked before its reveal");
    nChecked += 1;
  }
  assert.fail("no card was ever revealed");
}

test("a match is played with the keyboard alone", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who, "Keys");
  const { keyboard } = who.page;
  for (let idx = 0; idx < 40; idx += 1) {
    await keyboard.press("Tab");
    const at = await who.page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    if (at === "Play: Wanderer") break;
  }
  await keyboard.press("Enter");
  await phase(who, "PREP", 1);
  await keyboard.press("2");
  await keyboard.press("1");
  await who.page.getByRole("button", { name: "Slot 1: Defense" }).waitFor();
  await keyboard.press("Backspace");
  await who.page.getByRole("button", { name: "Slot 2: empty" }).waitFor();
  await keyboard.press("ArrowLeft");
  await keyboard.press("3");
  await who.page.getByRole("button", { name: "Slot 3: Heal" }).waitFor();
  await keyboard.press("4");
  await who.page.getByRole("button", { name: "Slot 2: Counter" }).waitFor();
  await keyboard.press("Control+Enter");
  await phase(who, "REVEAL", 1);
  await who.close();
});

test("cards are dragged into slots, between them and out again", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who);
  await playBot(who);
  const drag = async (from, to) => {
    const [start, end] = [await from.boundingBox(), await to.boundingBox()];
    await who.page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    await who.page.mouse.down();
    await who.page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 6 });
    await who.page.mouse.up();
  };
  const slot = (idx) => who.page.locator(`[data-slot="${idx}"]`);
  const drafts = () =>
    who.frames.filter((it) => it.way === "out" && it.message.type === "ask").map((it) => it.message.ask.layout);
  // The page waits briefly before it sends a draft, and then sends only the latest.
  const sent = async (name, n) => {
    await who.page.getByRole("button", { name }).waitFor();
    for (let idx = 0; idx < 500 && drafts().length < n; idx += 1) await who.page.waitForTimeout(10);
  };
  await drag(who.page.getByRole("button", { name: /^Heal\./ }), slot(1));
  await sent("Slot 2: Heal", 1);
  await drag(slot(1), slot(2));
  await sent("Slot 3: Heal", 2);
  await drag(slot(2), who.page.locator("h1").first());
  await sent("Slot 3: empty", 3);
  await who.page.getByRole("button", { name: /^Attack\./ }).click();
  await sent("Slot 1: Attack", 4);
  await who.page.getByRole("button", { name: "Slot 1: Attack" }).click();
  await sent("Slot 1: empty", 5);
  await who.page.getByText("Saved", { exact: true }).waitFor();
  await who.page.waitForTimeout(200);
  assert.deepEqual(drafts(), [
    [null, "heal", null],
    [null, null, "heal"],
    [null, null, null],
    ["attack", null, null],
    [null, null, null],
  ]);
  await who.close();
});

test("a new visitor accepts an invitation in one click", async () => {
  const [host, guest] = [await visitor(browser, server.url), await visitor(browser, server.url)];
  await signIn(host, "Hostess");
  await host.page.getByRole("button", { name: "Invite a friend" }).click();
  const link = await host.page.locator(".invitation code").textContent();
  await guest.page.goto(link);
  await guest.page.getByRole("heading", { name: "Hostess invites you to a match" }).waitFor();
  await guest.page.getByRole("button", { name: "Accept as a guest" }).click();
  await Promise.all([phase(host, "PREP", 1), phase(guest, "PREP", 1)]);
  await guest.page.getByRole("button", { name: "Give up" }).click();
  await guest.page.getByRole("button", { name: "Yes, give up" }).click();
  await guest.page.getByText("You gave up.").waitFor();
  await host.page.getByText("Guest gave up.").waitFor();
  await host.close();
  await guest.close();
});

test("a missed round shows a warning before the second one loses the match", async () => {
  const fast = await startServer({ REFEREE_TIMING: "orcain.turn-ms=5000,orcain.step-ms=120" });
  try {
    const who = await visitor(browser, fast.url);
    await signIn(who);
    await playBot(who);
    await who.page.getByText("You missed a round. Miss the next one and you lose the match.").waitFor();
    await who.page.getByText(/You missed two rounds in a row/).waitFor();
    await who.close();
  } finally {
    await fast.stop();
  }
});

test("a password allows sign-in from another device", async () => {
  const [first, second] = [await visitor(browser, server.url), await visitor(browser, server.url)];
  await signIn(first, "Rememberer");
  await first.page.getByRole("link", { name: /^Profile/ }).click();
  await first.page.getByLabel("Login").fill("remember.me");
  await first.page.getByLabel("New password").fill("a long enough one");
  await first.page.getByRole("button", { name: "Save" }).click();
  await first.page.getByText("Saved.", { exact: true }).waitFor();
  await second.go("/");
  await second.page.getByRole("button", { name: "Sign in" }).click();
  await second.page.getByLabel("Login").fill("remember.me");
  await second.page.getByLabel("Password").fill("a long enough one");
  await second.page.getByRole("button", { name: "Sign in" }).click();
  await second.page.getByRole("link", { name: "Profile: Rememberer" }).waitFor();
  await first.close();
  await second.close();
});
