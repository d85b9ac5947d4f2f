// Measures the first visit on a slow machine with the browser's own trace.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch, SHOTS, startServer, test, visitor } from "./support.mjs";

const SLOWDOWN = 4;
const LONG_TASK_US = 50_000;
const QUIET_MS = 1_500;
const LIMIT_MS = 2_000;
/** The duration of `spin` on the machine that the limit is meant for. */
const SPIN_MS = 40;
const RUNS = 3;

test("the page is usable within two seconds of a first visit on a slow machine", async (t) => {
  const server = await startServer();
  try {
    const figures = [];
    for (let run = 0; run < RUNS; run += 1) figures.push(await measure(server.url));
    figures.sort((one, other) => one.interactiveMs - other.interactiveMs);
    // Other load on the machine only adds time, so the best run measures the page itself.
    const best = figures[0];
    const slower = Math.max(1, Math.min(...figures.map((it) => it.spinMs)) / SPIN_MS);
    writeFileSync(join(SHOTS, "speed.json"), `${JSON.stringify({ slowdown: SLOWDOWN, figures }, null, 2)}\n`);
    t.diagnostic(
      `interactive after ${best.interactiveMs} ms, first paint after ${best.paintMs} ms, machine ${slower.toFixed(1)} times slower than the reference`,
    );
    assert.ok(best.interactiveMs < LIMIT_MS * slower, JSON.stringify(figures));
  } finally {
    await server.stop();
  }
});

/** Measures first paint and time to interactive in a cold browser with a throttled processor. */
async function measure(url) {
  const browser = await launch();
  try {
    const who = await visitor(browser, url);
    const spinMs = await who.page.evaluate(spin);
    const session = await who.context.newCDPSession(who.page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    await browser.startTracing(who.page, {
      categories: ["devtools.timeline", "loading", "blink.user_timing", "toplevel"],
    });
    await who.go("/");
    await who.page.getByRole("button", { name: "Play now as a guest" }).waitFor();
    await who.page.evaluate(() => performance.mark("usable"));
    await who.page.waitForTimeout(QUIET_MS);
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
    await who.close();
    return { spinMs, ...read(traceEvents, url) };
  } finally {
    await browser.close();
  }
}

/** The best time for a fixed amount of work on this machine. */
function spin() {
  let best = Infinity;
  for (let run = 0; run < 5; run += 1) {
    const start = performance.now();
    let sum = 0;
    for (let idx = 0; idx < 3e7; idx += 1) sum = (sum * 31 + idx) | 0;
    best = Math.min(best, performance.now() - start + (sum & 0));
  }
  return best;
}

/** The page is usable when the button is visible and the last long task has finished. */
function read(events, url) {
  const start = events.findLast(
    (it) => it.name === "navigationStart" && it.args.data?.documentLoaderURL?.startsWith(url),
  );
  const own = events.filter((it) => it.pid === start.pid && it.ts >= start.ts);
  const paint = own.find((it) => it.name === "firstContentfulPaint");
  const usable = own.find((it) => it.name === "usable");
  const long = own.filter(
    (it) => it.tid === start.tid && it.ph === "X" && it.dur >= LONG_TASK_US && it.name.includes("RunTask"),
  );
  const last = Math.max(usable.ts, ...long.map((it) => it.ts + it.dur));
  const since = (ts) => Math.round((ts - start.ts) / 1000);
  return { paintMs: since(paint.ts), interactiveMs: since(last) };
}
