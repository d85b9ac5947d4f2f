// The evidence of a failed test: screenshots, frames, the browser's console and the server's log.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { test as runTest } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const FAILURES = process.env.REFEREE_FAILURES ?? join(root, "target/test-failures");
/** Only the end of a log is kept, so that the failure stays easy to find. */
const LOG_CHARS_MAX = 2_000_000;

/** The servers and visitors of the running test. */
const servers = new Set();
const visitors = new Set();

/** Declares a test. If it fails, its evidence is written to a folder named in the error. */
export function test(name, body) {
  runTest(name, async (context) => {
    const before = new Set([...servers, ...visitors]);
    try {
      await body(context);
    } catch (error) {
      throw await blame(name, error);
    } finally {
      for (const own of [...servers, ...visitors].filter((it) => !before.has(it))) await own.discard();
    }
  });
}

/** Collects the output of a server until `discard` is called. */
export function watchServer(child, stop) {
  const watched = {
    log: "",
    async discard() {
      servers.delete(watched);
      await stop();
    },
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text) => {
      watched.log = (watched.log + text).slice(-LOG_CHARS_MAX);
    });
  }
  servers.add(watched);
  return watched;
}

/** Collects the console output and frames of a visitor's browser until `discard` is called. */
export function watchVisitor({ context, page, frames, complaints }) {
  const lines = [];
  let last = null;
  page.on("console", (message) => lines.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => lines.push(`exception: ${error.stack}`));
  page.on("requestfailed", (request) => lines.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
  const watched = {
    /** Takes a screenshot if the page is still open, and returns the last one. */
    async picture() {
      if (!page.isClosed()) last = await page.screenshot().catch(() => last);
      return last;
    },
    text: () => [page.url(), ...lines, ...complaints.map((it) => `complaint: ${it}`)].join("\n"),
    frames,
    async discard() {
      visitors.delete(watched);
      await context.close();
    },
  };
  visitors.add(watched);
  return watched;
}

/** Writes the evidence and adds its folder to the error message. */
async function blame(name, error) {
  const words = `${basename(process.argv[1] ?? "browser", ".test.mjs")}-${name}`;
  const folder = join(FAILURES, words.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 100));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (file, content) => writeFileSync(join(folder, file), content);
  write("error.txt", `${name}\n\n${error?.stack ?? error}\n`);
  for (const [idx, server] of [...servers].entries()) write(`server-${idx + 1}.log`, server.log);
  for (const [idx, visitor] of [...visitors].entries()) {
    const own = `visitor-${idx + 1}`;
    const picture = await visitor.picture();
    if (picture !== null) write(`${own}.png`, picture);
    write(`${own}.frames.jsonl`, visitor.frames.map((it) => `${JSON.stringify(it)}\n`).join(""));
    write(`${own}.console.txt`, visitor.text());
  }
  const failure = error instanceof Error ? error : new Error(String(error));
  failure.message += `\nevidence: ${relative(root, folder)}`;
  return failure;
}
