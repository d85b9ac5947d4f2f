// The game of docs/tutorial.md, on the page for games without one of their own. The step `tutorial` of
// `cargo xtask test` starts the server, at REFEREE_URL.

import assert from "node:assert/strict";
import { choice, playOn, result, table } from "./dice.mjs";
import { fits, launch, said, signIn, test, until, visitor } from "./support.mjs";

const TITLE = "Bluff";

/** The dice on the board whose faces can be seen. */
const dice = (who) => table(who).getByRole("img", { name: /^die [1-6]$/ });

/** The number of dice on the board that lie face down. */
const nHidden = (who) => table(who).getByRole("img", { name: "face down" }).count();

test("the game of the tutorial is played to the end in a browser", async () => {
  const browser = await launch();
  const who = await visitor(browser, process.env.REFEREE_URL, { reducedMotion: "reduce" });
  await signIn(who, "Author");
  await who.page.getByRole("radio", { name: TITLE }).check({ force: true });
  await who.page.getByRole("heading", { name: TITLE }).waitFor();
  await who.page.getByRole("button", { name: "Play: Thinker" }).click();
  await table(who).waitFor();
  const n = await playOn(who, async (words) => {
    // The dice of the opponent are hidden, but not those of the player.
    const hidden = await nHidden(who);
    assert.ok(hidden >= 1 && hidden <= 5, `${hidden} dice are hidden`);
    await dice(who).first().waitFor();
    await fits(who, "the board");
    await choice(who, words.includes("liar") ? "liar" : words[0]).click();
  });
  await result(who).waitFor();
  await until(() => said(who, "ask").length >= n, "every decision was sent");
  await dice(who).first().waitFor();
  assert.equal(await nHidden(who), 0, "the last call shows all dice");
  await who.close();
  await browser.close();
});
