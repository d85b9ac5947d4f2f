// The actions of players of Liar's Dice, on the page for games without one of their own.

const MOVES_MAX = 400;
export const TITLE = "Liar's Dice";

export const table = (who) => who.page.locator(".table[data-beat]");
export const result = (who) => who.page.locator("[data-result]");
export const choice = (who, word) => who.page.locator(`.actions [data-word="${word}"]`);

/** Selects the game on the home page. */
export async function chooseDice(who) {
  await who.page.getByRole("radio", { name: TITLE }).check({ force: true });
  await who.page.getByRole("heading", { name: TITLE }).waitFor();
}

/** Starts a match against the bot with this title. */
export async function playBot(who, title = "Rookie") {
  await chooseDice(who);
  await who.page.getByRole("button", { name: `Play: ${title}` }).click();
  await table(who).waitFor();
}

/** Creates a match whose other seats have these players, by their labels in the form. */
export async function openTable(who, others) {
  await chooseDice(who);
  await who.page.getByRole("radio", { name: String(others.length + 1), exact: true }).check({ force: true });
  for (const [idx, label] of others.entries()) await who.page.getByLabel(`Player ${idx + 2}`).selectOption({ label });
  await who.page.getByRole("button", { name: "Create match" }).click();
}

/** Waits until the page offers a decision that was not there at `beat`, or the match is over. Returns
 * the beat, or null if it is over. */
export async function myTurn(who, beat) {
  const found = await who.page.waitForFunction(
    (beat) => {
      if (document.querySelector("[data-result]") !== null) return "over";
      const it = document.querySelector(".table[data-beat]");
      return it?.dataset.mine === "true" && it.dataset.beat !== beat ? it.dataset.beat : false;
    },
    beat,
    { timeout: 60_000 },
  );
  const now = await found.jsonValue();
  return now === "over" ? null : now;
}

/** The words that the page offers as buttons. */
export const offered = (who) =>
  who.page.locator(".actions [data-word]").evaluateAll((all) => all.map((it) => it.dataset.word));

/** Plays to the end: `decide` receives the offered words and the number of the decision. */
export async function playOn(who, decide) {
  let beat = null;
  for (let idx = 0; idx < MOVES_MAX; idx += 1) {
    beat = await myTurn(who, beat);
    if (beat === null) return idx;
    await decide(await offered(who), idx);
  }
  throw new Error("the match does not end");
}

/** The last standing that a page received. */
export const standing = (who) =>
  who.frames.filter((it) => it.message.message?.type === "standing").at(-1)?.message.message;
