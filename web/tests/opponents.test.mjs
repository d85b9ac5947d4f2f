// The bots that the server offers, and their evaluations.

import assert from "node:assert/strict";
import { act, chooseCatan, state, table } from "./catan.mjs";
import { look } from "./inspect.mjs";
import { phase, PHONE, playBot, queue, signIn, stage, test, visitor } from "./support.mjs";

const { server, browser } = await stage({ REFEREE_BOT_BEAT_MS: "20", REFEREE_MESSAGES_PER_SECOND: "400" });

for (const [locale, vs, play] of [
  ["en-GB", /^Strength (\d+) of (\d+)$/, "Play"],
  ["fr-FR", /^Force (\d+) sur (\d+)$/, "Jouer"],
]) {
  test(`every bot that the server offers has a name, a description and a strength (${locale})`, async () => {
    const who = await visitor(browser, server.url, { locale });
    await who.go("/");
    await who.page.locator("main button").first().click();
    await who.page.locator('[data-link="online"]').waitFor({ state: "attached" });
    const lobby = await (await fetch(`${server.url}/api/lobby`)).json();
    const words = new Set(lobby.games.flatMap((it) => it.bots.flatMap((bot) => [bot.name, bot.summary])));
    for (const { game, title: called, bots } of lobby.games) {
      await who.page.getByRole("radio", { name: called }).check({ force: true });
      await who.page.getByRole("heading", { name: called, exact: true }).waitFor();
      const rows = who.page.locator("li.bot");
      assert.equal(await rows.count(), bots.length, game);
      for (const [idx, bot] of bots.entries()) {
        const row = rows.nth(idx);
        const title = await row.locator("strong").textContent();
        const about = await row.locator(".soft").textContent();
        assert.ok(!words.has(title) && title.toLowerCase() !== bot.name, `${game}: ${bot.name} is called ${title}`);
        assert.ok(about.length > 10 && !words.has(about), `${game}: ${bot.name}: ${about}`);
        const [, n, of] = vs.exec(await row.locator(".strength").getAttribute("aria-label")) ?? [];
        assert.deepEqual([Number(n), Number(of)], [idx + 1, bots.length]);
        await row.getByRole("button", { name: new RegExp(`^${play}`) }).waitFor();
      }
      if (locale === "fr-FR") await look(who, `bots-${game}-fr`);
    }
    await who.close();
  });
}

const bar = (who) => who.page.locator("[data-chances]");
const toggle = (who) => who.page.getByLabel("Show evaluation");

test("a live match against a bot shows an evaluation on request", async () => {
  const who = await visitor(browser, server.url, { viewport: PHONE, colorScheme: "dark" });
  await signIn(who, "Gambler");
  await chooseCatan(who);
  await who.page.getByRole("button", { name: "Play: Settler" }).click();
  await table(who).waitFor();
  await toggle(who).waitFor();
  assert.equal(await bar(who).count(), 0, "the evaluation is off by default");
  await toggle(who).check();
  await bar(who).waitFor();
  const seen = new Set();
  for (let idx = 0; idx < 60; idx += 1) {
    const told = await bar(who).getAttribute("data-chances");
    assert.equal(
      told.split(",").reduce((sum, it) => sum + Number(it), 0),
      1000,
    );
    seen.add(told);
    if ((await state(who)).decides === "0") await act(who);
    await who.page.waitForTimeout(40);
  }
  assert.ok(seen.size > 2, "the evaluation follows the match");
  await look(who, "chances-catan-phone");
  await who.page.reload();
  await bar(who).waitFor();
  await who.close();
});

test("no evaluation is offered by a bot that has none, or between people", async () => {
  const who = await visitor(browser, server.url);
  await signIn(who);
  await playBot(who);
  await who.page.waitForTimeout(300);
  assert.equal(await toggle(who).count(), 0);
  const both = [await visitor(browser, server.url), await visitor(browser, server.url)];
  for (const it of both) await signIn(it);
  await queue(both[0]);
  await both[0].page.getByText(/Looking for an opponent/).waitFor();
  await queue(both[1]);
  await Promise.all(both.map((it) => phase(it, "PREP", 1)));
  await both[0].page.waitForTimeout(300);
  for (const it of both) {
    assert.equal(await toggle(it).count(), 0);
    assert.ok(
      it.frames.every(({ message }) => message.type !== "chances"),
      "the page does not request an evaluation",
    );
    it.page.on("dialog", (dialog) => dialog.accept());
    await it.close();
  }
  await who.close();
});
