// Controls stay in place under a finger while other players act.
// Promise: No control moves under a finger while other players act.

import assert from "node:assert/strict";
import * as catan from "./catan.mjs";
import * as stellar from "./stellar.mjs";
import { confirm, lay, LAYOUTS, phase, PHONE, playBot, queue, signIn, stage, test, visitor } from "./support.mjs";

const { server, browser } = await stage({
  REFEREE_TIMING: "orcain.step-ms=200,stellar.turn-ms=120000",
  REFEREE_BOT_BEAT_MS: "150",
  REFEREE_MESSAGES_PER_SECOND: "400",
});

const phone = () =>
  visitor(browser, server.url, { viewport: PHONE, hasTouch: true, isMobile: true, reducedMotion: "reduce" });

/** True while the cards of Orcain are revealed. */
const REVEALING = `document.querySelector(".table")?.dataset.phase === "REVEAL"`;

/** Compares the positions of controls from frame to frame while other players act and right after. */
async function watch(who, controls, othersAct) {
  await who.page.evaluate(
    ([controls, othersAct]) => {
      const areActing = new Function(`return ${othersAct}`);
      globalThis.still = { moved: [], nFrames: 0 };
      let before = null;
      // The visitor's own click may move a control, and a slow frame may contain both a click and other players' moves.
      document.addEventListener("click", () => (before = null), true);
      const look = () => {
        const now = new Map();
        for (const control of document.querySelectorAll(controls)) {
          const box = control.getBoundingClientRect();
          now.set(control, { left: box.left + scrollX, top: box.top + scrollY });
        }
        for (const [control, at] of now) {
          const was = before?.get(control);
          if (was === undefined || Math.hypot(was.left - at.left, was.top - at.top) <= 2) continue;
          const name = (control.getAttribute("aria-label") ?? control.textContent).trim().slice(0, 40);
          globalThis.still.moved.push(`${control.tagName} ${name}: ${Math.round(was.top)} to ${Math.round(at.top)}`);
        }
        for (const words of document.querySelectorAll(".verdict")) {
          if (words.scrollHeight > words.clientHeight + 1)
            globalThis.still.moved.push(`clipped: ${words.textContent.trim()}`);
        }
        globalThis.still.nFrames += before === null ? 0 : 1;
        before = areActing() ? now : null;
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
    [controls, othersAct],
  );
}

async function assertStill(who) {
  const { moved, nFrames } = await who.page.evaluate(() => globalThis.still);
  assert.ok(nFrames > 0, "no frame was checked");
  assert.deepEqual(moved, []);
}

test("the hand in Orcain stays in place while cards are revealed", async () => {
  const who = await phone();
  await signIn(who);
  await playBot(who);
  await watch(who, ".inhand", REVEALING);
  for (const round of [1, 2, 3]) {
    await phase(who, "PREP", round);
    await lay(who, LAYOUTS.attacker);
    await confirm(who);
    await who.page
      .locator(`[data-phase="PREP"][data-round="${round + 1}"], [data-result]`)
      .first()
      .waitFor();
    if ((await who.page.locator("[data-result]").count()) > 0) break;
  }
  await assertStill(who);
  await who.close();
});

test("sudden death does not move the cards in Orcain", async () => {
  const both = [await phone(), await phone()];
  for (const who of both) await signIn(who);
  await queue(both[0]);
  await both[0].page.getByRole("button", { name: "Cancel" }).waitFor();
  await queue(both[1]);
  await watch(both[0], ".inhand", REVEALING);
  for (const round of [1, 2, 3]) {
    for (const who of both) {
      await phase(who, "PREP", round);
      await lay(who, LAYOUTS.attacker);
      await confirm(who);
    }
  }
  for (const who of both) await who.page.getByText("Sudden death").waitFor();
  await assertStill(both[0]);
  for (const who of both) await who.close();
});

test("the actions in Catan stay in place while the opponent plays", async () => {
  const who = await phone();
  await signIn(who);
  await catan.openTable(who, 15, "Castaway");
  await catan.table(who).waitFor();
  await watch(
    who,
    ".board, .good, .actions summary",
    `document.querySelector(".table[data-phase]")?.dataset.decides === "1"`,
  );
  const turn = () => who.page.locator(".table").getAttribute("data-turn");
  for (let idx = 0; idx < 300 && Number(await turn()) < 12; idx += 1) {
    const { decides } = await catan.state(who);
    if (decides === "0") await catan.act(who);
    await who.page.waitForTimeout(20);
  }
  assert.equal(Number(await turn()) >= 12, true, "the match continues");
  await assertStill(who);
  await who.close();
});

test("the map and the orders in Stellar Fleet stay in place while the others decide", async () => {
  const who = await phone();
  await signIn(who);
  await stellar.lobby(who);
  await who.page.getByRole("button", { name: "Create match" }).click();
  await stellar.turn(who, 1);
  await watch(
    who,
    ".map button, .end button, [role=tab], .fleet",
    `document.querySelector(".table[data-turn]")?.dataset.done === "true"`,
  );
  for (const turn of [1, 2, 3, 4]) {
    await stellar.turn(who, turn);
    await stellar.endTurn(who);
  }
  await stellar.turn(who, 5);
  await assertStill(who);
  await who.close();
});

test("the home page stays in place while others join and leave the queue", async () => {
  const [who, other] = [await phone(), await phone()];
  for (const each of [who, other]) await signIn(each);
  await who.page.getByText("no one waiting").first().waitFor();
  await watch(who, "button, a, select", "true");
  await queue(other);
  await who.page.getByText("1 waiting").first().waitFor();
  await other.page.getByRole("button", { name: "Cancel" }).click();
  await who.page.getByText("1 waiting").first().waitFor({ state: "detached" });
  await assertStill(who);
  for (const each of [who, other]) await each.close();
});
