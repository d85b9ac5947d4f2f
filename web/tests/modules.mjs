// TypeScript modules of the page, for tests that need no browser.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), "../src");

/** Loads a module of `src` that uses neither Svelte nor the browser. */
export async function load(path) {
  const { module } = await runnerImport(join(SOURCE, path), { configFile: false, logLevel: "error" });
  return module;
}
