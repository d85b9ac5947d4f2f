/** Every word of the map editor and the balance report, in every language. */

import { settings } from "../shell/settings.svelte";
import { en, type EditorTexts } from "./texts/en";
import { fr } from "./texts/fr";

const texts = { en, fr };

export function editorWords(): EditorTexts {
  return texts[settings.language];
}
