import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import globals from "globals";
import ts from "typescript-eslint";

import svelteConfig from "./svelte.config.js";

const PAGE = ["src/**/*.{ts,svelte}"];
/** Svelte's keyed `each` blocks must name the item even where only the index is used. */
const UNUSED = { argsIgnorePattern: "^_", varsIgnorePattern: "^_$", ignoreRestSiblings: true };

export default defineConfig(
  { ignores: ["dist/", "screenshots/", "src/generated/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    // The browser tests pass functions to the page, so they use the names of both.
    files: ["**/*.{js,mjs}"],
    extends: [js.configs.recommended],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules: { "no-unused-vars": ["error", UNUSED] },
  },
  {
    files: PAGE,
    extends: [ts.configs.strictTypeChecked, svelte.configs.recommended],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, extraFileExtensions: [".svelte"] },
    },
    rules: {
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unused-vars": ["error", UNUSED],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
);
