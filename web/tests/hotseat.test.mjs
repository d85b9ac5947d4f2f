// Two people at a shared screen, and reloads in every phase of Catan.

import assert from "node:assert/strict";
import { act, offer as offerCards, openTable, result, state, table } from "./catan.mjs";
import { look, SIZES } from "./inspect.mjs";
import { giveUp, heard, online, openOrder, said, signIn, stage, test, visitor } from "./support.mjs";

const { server, browser } = await stage({
  REFEREE_TIMING: "catan.turn-ms=120000",
  REFEREE_BOT_BEAT_MS: "20",
  REFEREE_MESSAGES_PER_SECOND: "400",
});

const curtain = (who) => who.page.locator("[data-curtain]");
const BESIDE = "A friend next to you, on this screen";

/** The seats whose hands the page received, in order. */
function handsTold(who) {
  const views = who.frames.flatMap(({ way, message }) =>
    way === "in" && message.message?.view?.players ? [message.message.view] : [],
  );
  return views.flatMap((view) => (view.outcome ? [] : view.players.flatMap((it, seat) => (it.own ? [seat] : []))));
}

async function sitDown(who) {
  const name = await curtain(who).getAttribute("data-curtain");
  await who.page.getByRole("button", { name: /show the board/ }).click();
  await table(who).waitFor();
  return name;
}

/** Decides for the player at the screen until the other player is called to it. */
async function untilCalled(who, done = async () => false) {
  for (let idx = 0; idx < 400; idx += 1) {
    if (await curtain(who).isVisible()) return "called";
    if (await done(await state(who))) return "done";
    await act(who);
    await who.page.waitForTimeout(25);
  }
  throw new Error("the other player is never called");
}

// Promise: At a shared screen only the hand of the player in front is shown.
test("at a shared screen, only the hand of the player in front is sent", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who, "Family");
  await openTable(who, 3, BESIDE);
  await curtain(who).waitFor();
  assert.deepEqual(handsTold(who), [], "no hand is sent before a player sits down");
  assert.equal(await table(who).count(), 0);
  assert.equal(await sitDown(who), "Family (1)");
  await untilCalled(who);
  assert.deepEqual([...new Set(handsTold(who))], [0]);
  assert.equal(await sitDown(who), "Family (2)");
  const nBefore = handsTold(who).length;
  await untilCalled(who);
  assert.deepEqual([...new Set(handsTold(who).slice(nBefore))], [1], "the first player's hand is not sent meanwhile");
  // A reload closes the curtain for either player.
  const told = handsTold(who).length;
  await who.page.reload();
  await curtain(who).waitFor();
  assert.equal(handsTold(who).length, told);
  assert.equal(await sitDown(who), "Family (1)");
  await who.page.reload();
  await curtain(who).waitFor();
  await sitDown(who);
  await giveUp(who);
  await result(who).waitFor();
  await who.page.getByText("Family (2) wins").waitFor();
  await who.page.getByRole("button", { name: "Rematch" }).click();
  await curtain(who).waitFor();
  await sitDown(who);
  await giveUp(who);
  await result(who).waitFor();
  await who.go("/history");
  await who.page.getByText("Shared screen").first().waitFor();
  await who.close();
});

// Promise: A table does not begin before its host's page knows it.
test("a shared-screen match starts however late the host's page learns its address", async () => {
  const who = await visitor(browser, server.url);
  // The server checks its lobbies twice a second, so it has checked before the page reads the answer.
  await who.page.route("**/api/tables", async (route) => {
    const response = await route.fetch();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.fulfill({ response });
  });
  await signIn(who, "Late");
  await openTable(who, 5, BESIDE);
  await curtain(who).waitFor();
  assert.equal(said(who, "table_join").length, 1);
  assert.deepEqual(heard(who, "error"), []);
  await who.close();
});

for (const [size, viewport, options] of SIZES) {
  test(`a shared screen works on a ${size}`, async () => {
    const who = await visitor(browser, server.url, { viewport, reducedMotion: "reduce", ...options });
    await signIn(who, `Two at ${size}`);
    await openTable(who, 5, BESIDE);
    await curtain(who).waitFor();
    await look(who, `curtain-${size}`);
    await who.page.keyboard.press("Enter");
    await table(who).waitFor();
    await look(who, `hotseat-${size}`);
    await giveUp(who);
    await result(who).waitFor();
    await look(who, `hotseat-result-${size}`);
    await who.close();
  });
}

/** Offers one card for one card, if that is legal. */
async function offer(who) {
  const standing = who.frames.filter((it) => it.message.message?.type === "standing").at(-1)?.message.message;
  const word = standing?.legal.find((it) => it.startsWith("offer:"));
  if (word === undefined) return false;
  const [give, get] = word.slice(6).split(">");
  await offerCards(who, [give], [get]);
  // Until the server answers, the page shows the previous phase.
  await who.page.locator('.table[data-phase="TRADE_RESPONSE"]').waitFor();
  return true;
}

/** Plays the next action without building, so that hands grow until a seven forces a discard. */
const idle = (who) =>
  who.page.evaluate(() => {
    const names = ["Confirm", "Discard", "Decline", "Roll", "End turn"];
    const buttons = [...document.querySelectorAll(".actions button")].filter(
      (it) => !it.disabled && it.getAttribute("aria-disabled") !== "true",
    );
    const button = names
      .map((name) => buttons.find((it) => it.textContent.trim().startsWith(name)))
      .find((it) => it !== undefined && !it.textContent.includes("End turn"));
    const place =
      document.querySelector(".place.hexagon") ??
      (document.querySelector(".table").dataset.turn === "0" ? document.querySelector(".place") : null);
    const last = buttons.find((it) => it.textContent.trim().startsWith("End turn"));
    const pressed = button ?? place ?? last;
    pressed?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return pressed !== undefined && pressed !== null;
  });

test("every phase of Catan is the same after a reload", async () => {
  // The dice bag holds six sevens in 36 rolls, and two cards already exceed the discard threshold, so every phase occurs.
  const setup = { board: "reference", dice: "bag36", discard_threshold: 1, vp_to_win: 15 };
  const both = [await visitor(browser, server.url), await visitor(browser, server.url)];
  await signIn(both[0], "Phase One");
  const link = await openOrder(both[0], { game: "catan", setup, seats: ["host", "guest"] });
  await signIn(both[1], "Phase Two");
  await both[1].page.goto(link);
  await Promise.all(both.map((who) => table(who).waitFor()));
  const wanted = new Set([
    "SETUP_SETTLEMENT",
    "SETUP_ROAD",
    "ROLL",
    "DISCARD",
    "MOVE_ROBBER",
    "ACTION",
    "TRADE_RESPONSE",
  ]);
  for (const end = Date.now() + 240_000; Date.now() < end && wanted.size > 0;) {
    const now = await state(both[0]);
    const who = both[Number(now.decides)];
    const own = who === undefined ? null : await state(who);
    if (own === null || own.decides !== now.decides || own.phase !== now.phase) {
      await both[0].page.waitForTimeout(20);
      continue;
    }
    if (wanted.delete(now.phase)) {
      // An unconfirmed choice exists only on the page and is lost in a reload.
      while ((await who.page.locator(".draft").count()) > 0)
        await who.page.getByRole("button", { name: "Undo" }).first().click();
      const before = await who.page.locator(".asked").textContent();
      await who.page.reload();
      await online(who);
      await table(who).waitFor();
      const again = await state(who);
      assert.deepEqual([again.phase, again.decides], [now.phase, now.decides]);
      assert.equal(await who.page.locator(".asked").textContent(), before, now.phase);
      continue;
    }
    const offered = now.phase === "ACTION" && wanted.has("TRADE_RESPONSE") && (await offer(who));
    if (!offered) await idle(who);
    await who.page.waitForTimeout(20);
  }
  assert.deepEqual([...wanted], [], "these phases never occurred");
  await giveUp(both[0]);
  await Promise.all(both.map((who) => result(who).waitFor()));
  await both[1].page.reload();
  await result(both[1]).waitFor();
  for (const who of both) await who.close();
});
