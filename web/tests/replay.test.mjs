// Replays by link and by file, and live spectating.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LAYOUTS, playBot, playOn, signIn, stage, startServer, test, visitor } from "./support.mjs";

const golden = (name) => join(dirname(fileURLToPath(import.meta.url)), "../../testdata/orcain", name);

const { server, browser } = await stage({ REFEREE_TIMING: "orcain.step-ms=150,orcain.turn-ms=60000" });

const frame = (who) => who.page.locator("div.frame");
const seen = (who, name) => who.page.getByRole("radio", { name, exact: true }).check();

test("a match is replayed by link, step by step, from every point of view, with its proof", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who, "Archivist");
  await playBot(who);
  await playOn(who, LAYOUTS.attacker);
  await who.page.getByRole("link", { name: "See the replay" }).click();
  await frame(who).waitFor();
  await who.page.getByText(/All \d+ actions were replayed, and every hash matches/).waitFor();
  assert.equal(await who.page.locator("[data-seed]").getAttribute("data-seed"), "own");

  const slider = who.page.getByRole("slider", { name: "Position" });
  assert.equal(await slider.inputValue(), "0");
  await who.page.getByRole("button", { name: "Step forward" }).click();
  assert.equal(await slider.inputValue(), "1");
  const hash = () => who.page.locator(".proof code").first().textContent();
  const first = await hash();
  await who.page.getByRole("button", { name: "Go to the end" }).click();
  assert.notEqual(await hash(), first);
  await who.page.locator('div.frame[data-phase="END"]').waitFor();
  await who.page.getByRole("button", { name: "2 · 1", exact: true }).click();
  await who.page.locator('div.frame[data-phase="REVEAL"][data-round="2"]').waitFor();

  // Before the first reveal, a spectator sees card backs, a seat sees its own cards, and all players together see everything.
  await who.page.getByRole("button", { name: "Go to the start" }).click();
  await who.page.getByRole("button", { name: "Step forward" }).click();
  await who.page.getByRole("button", { name: "Step forward" }).click();
  await who.page.getByRole("button", { name: "Step forward" }).click();
  const cards = (face) => frame(who).locator(`[data-card="${face}"]`).count();
  assert.equal(await cards("back"), 6);
  await seen(who, "Archivist");
  await frame(who).locator(".near [data-card='attack']").waitFor();
  assert.equal(await cards("back"), 3);
  await seen(who, "All players");
  await frame(who).locator(".near [data-card='attack']").waitFor();
  assert.equal(await cards("back"), 0);

  // A shared link leads another visitor to the same position.
  const link = who.page.url();
  assert.match(link, /#ply=3&viewer=all$/);
  const other = await visitor(browser, server.url);
  await other.page.goto(link);
  await frame(other).waitFor();
  assert.equal(await other.page.getByRole("slider", { name: "Position" }).inputValue(), "3");
  await other.page.getByRole("button", { name: "Play", exact: true }).click();
  await other.page.waitForFunction(() => Number(document.querySelector("input[type=range]").value) > 3);
  await other.page.keyboard.press("Tab");
  await who.close();
  await other.close();
});

test("a record file is replayed, and a forged one is refused at the changed line", async () => {
  const who = await visitor(browser, server.url, { expected: [/422/] });
  await who.go("/replay");
  const choose = who.page.locator("input[type=file]");
  await choose.setInputFiles(golden("standard-2.jsonl"));
  await frame(who).waitFor();
  assert.equal(await who.page.locator("[data-seed]").getAttribute("data-seed"), "none");
  const text = readFileSync(golden("standard-2.jsonl"), "utf8");
  const forged = join(tmpdir(), `forged-${process.pid}.jsonl`);
  writeFileSync(forged, text.replace('"heal"', '"attack"'));
  await choose.setInputFiles(forged);
  await who.page
    .getByRole("alert")
    .getByText(/^line \d+: .*chain/)
    .waitFor();
  await who.close();
});

test("a replay shows an evaluation, but never to spectators", async () => {
  const who = await visitor(browser, server.url);
  await who.go("/replay");
  await who.page.locator("input[type=file]").setInputFiles(golden("standard-2.jsonl"));
  await frame(who).waitFor();
  const ask = who.page.getByLabel("Show evaluation");
  assert.equal(await ask.count(), 0);
  await seen(who, "All players");
  await ask.check();
  await who.page.locator('[data-chances="500,500"]').waitFor();
  await who.page.getByRole("button", { name: "Go to the end" }).click();
  const last = await who.page.locator("[data-chances]").getAttribute("data-chances");
  assert.ok(["1000,0", "0,1000", "500,500"].includes(last), last);
  await who.close();
});

test("a dropped record file is replayed", async () => {
  const who = await visitor(browser, server.url);
  await who.go("/replay");
  await who.page.getByRole("heading", { name: "Open a record" }).waitFor();
  const text = readFileSync(golden("standard-1.jsonl"), "utf8");
  const data = await who.page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "match.jsonl"));
    return data;
  }, text);
  await who.page.dispatchEvent(".drop", "drop", { dataTransfer: data });
  await frame(who).waitFor();
  await who.close();
});

test("a visitor without an account watches bots play and sees only the public view", async () => {
  // Slow enough that the match is still running when the spectator arrives.
  const server = await startServer({ REFEREE_BOT_PAUSE_MS: "4000" });
  const host = await visitor(browser, server.url);
  await signIn(host);
  await host.page.getByRole("button", { name: "Start and watch" }).click();
  await host.page.getByText(/You are watching: Old Master vs Wanderer/).waitFor();
  const stranger = await visitor(browser, server.url);
  await stranger.go("/");
  const link = stranger.page.getByRole("link", { name: "Watch" }).first();
  await stranger.go(await link.getAttribute("href"));
  await stranger.page.getByText(/You are watching/).waitFor();
  await stranger.page.locator('[data-far]:not([data-far="hidden"])').first().waitFor();
  for (const { way, message } of stranger.frames) {
    if (way === "in" && message.type === "match" && message.message.type === "standing")
      assert.equal(message.message.view.own, null);
  }
  await stranger.page.locator("[data-result]").waitFor({ timeout: 120_000 });
  await host.close();
  await stranger.close();
  await server.stop();
});

// Promise: A running match has no replay.
test("a running match has no replay", async () => {
  const who = await visitor(browser, server.url, { expected: [/409/] });
  await signIn(who);
  await playBot(who);
  const id = await who.page.evaluate(() => JSON.parse(sessionStorage.getItem("referee.match")).matchId);
  const answer = await fetch(`${server.url}/api/matches/${id}/replay?viewer=all`);
  assert.equal(answer.status, 409);
  await who.go(`/replay/${id}`);
  await who.close();
});
