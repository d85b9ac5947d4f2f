// A failed test leaves the evidence needed to find the cause.
// Promise: A failed test leaves the log of its server and what its players heard.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "./support.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** A test that fails while a visitor waits for a text that never appears. */
const FAILING = `
import { launch, signIn, startServer, test, visitor } from ${JSON.stringify(join(here, "support.mjs"))};
test("this one fails: on purpose", async () => {
  const server = await startServer();
  const browser = await launch();
  try {
    const who = await visitor(browser, server.url);
    await signIn(who, "Unlucky");
    await who.page.evaluate(() => console.log("a last word"));
    await who.page.getByText("no such text").waitFor({ timeout: 300 });
  } finally {
    // The server is stopped when the test ends.
    setTimeout(() => browser.close(), 5_000);
  }
});
`;

test("a failed browser test leaves its screenshot, frames, console and server log", async () => {
  const folder = mkdtempSync(join(tmpdir(), "referee-evidence-"));
  const script = join(folder, "failing.test.mjs");
  writeFileSync(script, FAILING);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const ran = spawnSync(process.execPath, ["--test", "--test-reporter=tap", script], {
    env: { ...env, REFEREE_FAILURES: join(folder, "kept") },
    encoding: "utf8",
  });
  assert.equal(ran.status, 1, ran.stdout);
  assert.match(ran.stdout, /evidence: .*kept\/failing-this-one-fails-on-purpose/);
  const kept = join(folder, "kept/failing-this-one-fails-on-purpose");
  const files = readdirSync(kept).sort();
  assert.deepEqual(files, [
    "error.txt",
    "server-1.log",
    "visitor-1.console.txt",
    "visitor-1.frames.jsonl",
    "visitor-1.png",
  ]);
  const read = (file) => readFileSync(join(kept, file), "utf8");
  assert.match(read("error.txt"), /no such text/);
  assert.match(read("server-1.log"), /account created/);
  assert.match(read("visitor-1.console.txt"), /a last word/);
  assert.match(read("visitor-1.frames.jsonl"), /"way":"in".*"welcome"/);
  assert.ok(readFileSync(join(kept, "visitor-1.png")).length > 5_000, "the screenshot shows a page");
  rmSync(folder, { recursive: true });
});
