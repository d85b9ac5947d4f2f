/** Every word of Stellar Fleet, in every language. */

import { settings } from "../../shell/settings.svelte";
import { en, type StellarTexts } from "./texts/en";
import { fr } from "./texts/fr";

export const texts = { en, fr };

export function words(): StellarTexts {
  return texts[settings.language];
}
