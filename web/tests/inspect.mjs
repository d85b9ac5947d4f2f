// The checks for every screen: nothing overflows, every control is reachable, and there are no errors.

import { createRequire } from "node:module";
import { DESKTOP, fits, PHONE, TABLET } from "./support.mjs";

const axe = createRequire(import.meta.url)("axe-core");

/** Runs axe-core on the current page. Its findings are reported when the visitor is closed. */
export async function faults(who, what) {
  await who.page.evaluate(axe.source);
  const found = await who.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const serious = found.violations.filter((it) => ["serious", "critical"].includes(it.impact));
  who.complaints.push(
    ...serious.map(
      (it) => `${what}: ${it.id}: ${it.nodes.map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`,
    ),
  );
}

/** Checks that Tab alone reaches every control. */
export async function reachable(who, what) {
  const mark = () => {
    const kinds =
      "a[href], button:not(:disabled), input:not([type=radio]), input[type=radio]:checked, select, summary, textarea, canvas[tabindex]";
    const shown = (it) => it.checkVisibility() && !it.closest("[inert]");
    // Arrow keys move through a set of buttons that Tab enters once.
    const controls = [...document.querySelectorAll(kinds)].filter(
      (it) => shown(it) && !it.matches('[data-control][tabindex="-1"]'),
    );
    controls.forEach((it, idx) => (it.dataset.control = String(idx)));
    document.activeElement?.blur();
    return controls.map((it) => `${it.dataset.control} ${it.tagName} ${it.textContent.trim().slice(0, 30)}`);
  };
  const all = await who.page.evaluate(mark);
  const reached = new Set();
  for (let idx = 0; idx < all.length + 12; idx += 1) {
    await who.page.keyboard.press("Tab");
    const at = await who.page.evaluate(() => document.activeElement?.dataset.control ?? null);
    if (at !== null) reached.add(at);
  }
  const missed = all.filter((it) => !reached.has(it.split(" ")[0]));
  who.complaints.push(...missed.map((it) => `${what}: out of reach: ${it}`));
}

export async function look(who, what) {
  await who.page.evaluate(() => scrollTo(0, 0));
  await who.shot(what);
  await fits(who, what);
  await faults(who, what);
}

export const SIZES = [
  ["phone", PHONE, { hasTouch: true, isMobile: true, colorScheme: "light" }],
  ["tablet", TABLET, { colorScheme: "dark" }],
  ["desktop", DESKTOP, { colorScheme: "dark" }],
];
