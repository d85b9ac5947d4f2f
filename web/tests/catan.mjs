// The actions of Catan players.

const DECISIONS_MAX = 2_500;

export const table = (who) => who.page.locator(".table[data-phase]");
export const result = (who) => who.page.locator("[data-result]");

/** Selects Catan on the home page. */
export async function chooseCatan(who) {
  await who.page.getByRole("radio", { name: "Catan" }).check({ force: true });
  await who.page.getByRole("heading", { name: "Catan" }).waitFor();
}

/** Creates a match to the given number of points, against a friend or the bot with this title. */
export async function openTable(who, points, against) {
  await chooseCatan(who);
  await who.page.getByRole("radio", { name: String(points), exact: true }).check({ force: true });
  await who.page.getByRole("radio", { name: "Standard" }).check({ force: true });
  if (against !== undefined) await who.page.getByLabel("Against", { exact: true }).selectOption({ label: against });
  await who.page.getByRole("button", { name: "Create match" }).click();
}

/** The state of the match as shown on the page. */
export const state = (who) =>
  who.page.evaluate(() => {
    const it = document.querySelector(".table[data-phase]");
    return {
      phase: it?.dataset.phase,
      decides: it?.dataset.decides,
      beat: it?.dataset.beat,
      over: document.querySelector("[data-result]") !== null,
    };
  });

/** Presses the best button that the page offers, and returns its kind. */
export const act = (who) =>
  who.page.evaluate(() => {
    const button = (name) =>
      [...document.querySelectorAll(".actions button")].find(
        (it) => it.textContent.trim().startsWith(name) && !it.disabled && it.getAttribute("aria-disabled") !== "true",
      );
    const press = (it) => it && (it.dispatchEvent(new MouseEvent("click", { bubbles: true })), true);
    const place = (kind) => document.querySelector(`.place.${kind}`);
    if (press(button("Confirm"))) return "confirm";
    if (document.querySelector(".draft") !== null && !place("hexagon") && !place("edge") && !button("Discard"))
      return null;
    if (press(button("Discard"))) return "discard";
    if (press(button("Decline"))) return "decline";
    if (press(button("Roll"))) return "roll";
    if (press(place("hexagon"))) return "robber";
    if (press(place("vertex"))) return "home";
    if (press(button("Card"))) return "buy";
    const roads =
      document.querySelectorAll(".side .facts").length > 0 && document.querySelectorAll(".road:not(.planned)").length;
    if (roads < 16 && press(place("edge"))) return "road";
    if (press(button("End turn"))) return "end";
    if (press(place("edge"))) return "road";
    return null;
  });

/** Composes an offer in the trade panel and sends it. */
export async function offer(who, give, get) {
  if (!(await who.page.getByRole("button", { name: "Send the offer" }).isVisible()))
    await who.page.locator("summary", { hasText: "Trade" }).click();
  for (const [side, cards] of [
    ["offer", give],
    ["request", get],
  ]) {
    for (const kind of cards)
      await who.page.locator(`.stepper[data-side="${side}"][data-kind="${kind}"] button`).last().click();
  }
  await who.page.getByRole("button", { name: "Send the offer" }).click();
}

/** Plays a seat until the match is over, and calls `seen` before every decision. */
export async function playOn(who, seat, seen = async () => {}) {
  for (let idx = 0; idx < DECISIONS_MAX; idx += 1) {
    await who.page.waitForFunction(
      (own) =>
        document.querySelector("[data-result]") !== null ||
        document.querySelector(".table[data-phase]")?.dataset.decides === own,
      String(seat),
      { timeout: 60_000 },
    );
    const now = await state(who);
    if (now.over) return;
    // The last decision may have been answered since, so it can be the opponent's turn again.
    if (now.decides !== String(seat)) continue;
    await seen(now);
    const done = await act(who);
    if (done === null) await who.page.waitForTimeout(30);
    else await who.page.waitForTimeout(15);
  }
  throw new Error("the match does not end");
}
