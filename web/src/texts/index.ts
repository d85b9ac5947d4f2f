import { settings } from "../shell/settings.svelte";
import { Refusal, Unreached } from "../shell/api";
import { en, type Texts } from "./en";
import { fr } from "./fr";

const TEXTS = { en, fr };

/** The words in the language that was chosen. */
export function words(): Texts {
  return TEXTS[settings.language];
}

/** What went wrong, in words; codes that nobody has translated keep the server's sentence. */
export function faultText(error: unknown): string {
  if (error instanceof Refusal) return words().faults[error.code] ?? error.message;
  if (error instanceof Unreached) return words().faults["unreached"] ?? "";
  return String(error);
}

export function refusalText(refused: { code: string; message: string }): string {
  return words().faults[refused.code] ?? refused.message;
}

/** Why somebody waits for an opponent no more. */
export function waitOverText(reason: string): string {
  const { faults, lobby } = words();
  return reason === "left" ? lobby.waitOverElsewhere : (faults[reason] ?? lobby.waitOver);
}
