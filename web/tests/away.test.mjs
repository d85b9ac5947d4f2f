// Reloads, lost connections and second devices.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import {
  confirm,
  CUT,
  launch,
  lay,
  LAYOUTS,
  online,
  phase,
  playBot,
  queue,
  signIn,
  startNetwork,
  startServer,
  test,
  visitor,
} from "./support.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function pairOn(url, names, options = {}) {
  const both = [await visitor(browser, url, options), await visitor(browser, url, options)];
  for (const [idx, who] of both.entries()) await signIn(who, names[idx]);
  await queue(both[0]);
  await both[0].page.getByText(/Looking for an opponent/).waitFor();
  await queue(both[1]);
  await Promise.all(both.map((who) => phase(who, "PREP", 1)));
  return both;
}

test("with a grace period, a reload in any phase resumes the match", async () => {
  const server = await startServer({ REFEREE_TIMING: "orcain.grace-ms=60000,orcain.step-ms=900" });
  try {
    const [one, other] = await pairOn(server.url, ["Stayer", "Leaver"]);
    // While placing cards: the draft is kept.
    await lay(other, ["Counter", "Attack"]);
    await other.page.getByText("Saved", { exact: true }).waitFor();
    await other.page.reload();
    await phase(other, "PREP", 1);
    await other.page.getByRole("button", { name: "Slot 1: Counter" }).waitFor();
    await other.page.getByRole("button", { name: "Slot 2: Attack" }).waitFor();
    // After confirming: the layout is still confirmed.
    await lay(other, ["Heal"]);
    await confirm(other);
    await other.page.getByText("Confirmed. Your opponent is thinking").waitFor();
    await other.page.reload();
    await other.page.getByText("Confirmed. Your opponent is thinking").waitFor();
    // During the reveal: revealed cards stay revealed.
    await lay(one, LAYOUTS.attacker);
    await confirm(one);
    await other.page.locator('[data-step="0"] [data-far="attack"]').waitFor();
    await other.page.reload();
    await other.page.locator('[data-step="0"] [data-far="attack"]').waitFor();
    await phase(other, "PREP", 2);
    // The previous round is still in the log after a reload.
    await other.page.reload();
    await phase(other, "PREP", 2);
    await other.page.getByRole("heading", { name: "Round 1", exact: true }).waitFor();
    assert.equal(await other.page.locator(".rounds li").count(), 3);
    // After the end: the result is shown again.
    await one.page.getByRole("button", { name: "Give up" }).click();
    await one.page.getByRole("button", { name: "Yes, give up" }).click();
    await other.page.getByText("Stayer gave up.").waitFor();
    await other.page.reload();
    await other.page.getByText("Stayer gave up.").waitFor();
    assert.equal(await other.page.locator("[data-result]").getAttribute("data-result"), "win");
    await one.close();
    await other.close();
  } finally {
    await server.stop();
  }
});

test("without a grace period, the page asks before a reload, and both players see why the match ended", async () => {
  const server = await startServer();
  try {
    const [one, other] = await pairOn(server.url, ["Faithful", "Careless"]);
    await lay(other, ["Attack"]);
    const asked = [];
    other.page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await other.page.reload();
    assert.deepEqual(asked, ["beforeunload"]);
    await other.page
      .getByText("You disconnected. In a match against another player, that loses immediately.")
      .waitFor();
    assert.equal(await other.page.locator("[data-result]").getAttribute("data-result"), "lose");
    await one.page.getByText("Careless disconnected.").waitFor();
    assert.equal(await one.page.locator("[data-result]").getAttribute("data-result"), "win");
    await one.close();
    await other.close();
  } finally {
    await server.stop();
  }
});

test("against a bot, cards placed while disconnected arrive after the reconnect", async () => {
  const network = await startNetwork();
  const server = await startServer({}, ["--origin", network.url]);
  network.to(server.url);
  try {
    const who = await visitor(browser, network.url, { expected: CUT });
    await signIn(who);
    await playBot(who);
    await lay(who, ["Attack"]);
    await who.page.getByText("Saved", { exact: true }).waitFor();
    network.cut();
    await who.page
      .getByRole("alert")
      .getByText(/Connection lost/)
      .waitFor();
    await lay(who, ["Heal"]);
    await who.page.getByText("Not saved yet: no connection").waitFor();
    await who.page.waitForTimeout(600);
    network.mend();
    await online(who);
    await who.page.getByText("Saved", { exact: true }).waitFor();
    await who.page.reload();
    await who.page.getByRole("button", { name: "Slot 1: Attack" }).waitFor();
    await who.page.getByRole("button", { name: "Slot 2: Heal" }).waitFor();
    await lay(who, ["Counter"]);
    await confirm(who);
    await phase(who, "REVEAL", 1);
    await who.close();
  } finally {
    network.stop();
    await server.stop();
  }
});

test("with a grace period, the opponent sees the disconnect and the reconnect", async () => {
  const network = await startNetwork();
  const server = await startServer({ REFEREE_TIMING: "orcain.grace-ms=60000" }, ["--origin", network.url]);
  network.to(server.url);
  try {
    const one = await visitor(browser, server.url);
    const other = await visitor(browser, network.url, { expected: CUT });
    await signIn(one, "Patient");
    await signIn(other, "Tunnel");
    await queue(one);
    await one.page.getByText(/Looking for an opponent/).waitFor();
    await queue(other);
    await Promise.all([phase(one, "PREP", 1), phase(other, "PREP", 1)]);
    network.cut();
    await one.page.getByText("Waiting for Tunnel to reconnect.").waitFor();
    await other.page
      .getByRole("alert")
      .getByText(/Connection lost/)
      .waitFor();
    network.mend();
    await one.page.getByText("Waiting for Tunnel to reconnect.").waitFor({ state: "detached" });
    await lay(other, LAYOUTS.healer);
    await confirm(other);
    await lay(one, LAYOUTS.attacker);
    await confirm(one);
    await Promise.all([phase(one, "PREP", 2), phase(other, "PREP", 2)]);
    await one.close();
    await other.close();
  } finally {
    network.stop();
    await server.stop();
  }
});

test("a second device takes over the match, and the first says so and waits", async () => {
  const server = await startServer();
  try {
    const first = await visitor(browser, server.url);
    await signIn(first, "Twice");
    await playBot(first);
    await lay(first, ["Defense"]);
    await first.page.getByText("Saved", { exact: true }).waitFor();
    const token = await first.page.evaluate(() => localStorage.getItem("referee.token"));
    const second = await visitor(browser, server.url);
    await second.page.addInitScript((it) => localStorage.setItem("referee.token", it), token);
    await second.go("/");
    await phase(second, "PREP", 1);
    await second.page.getByRole("button", { name: "Slot 1: Defense" }).waitFor();
    await first.page.getByRole("alert").getByText("Account in use on another device.").waitFor();
    await first.page.waitForTimeout(1500);
    assert.equal(await first.page.locator('[data-link="taken_over"]').count(), 1);
    await first.page.getByRole("button", { name: "Play here" }).click();
    await online(first);
    await second.page.getByRole("alert").getByText("Account in use on another device.").waitFor();
    await first.page.getByRole("button", { name: "Slot 1: Defense" }).waitFor();
    await first.close();
    await second.close();
  } finally {
    await server.stop();
  }
});
