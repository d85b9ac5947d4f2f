import { settings } from "../shell/settings.svelte";
import { Refusal, Unreached } from "../shell/api";
import { en, type Texts } from "./en";
import { fr } from "./fr";

const TEXTS = { en, fr };

/** The texts in the chosen language. */
export function words(): Texts {
  return TEXTS[settings.language];
}

/** A message for an error. Codes without a translation keep the server's message. */
export function faultText(error: unknown): string {
  if (error instanceof Refusal) return words().faults[error.code] ?? error.message;
  if (error instanceof Unreached) return words().faults["unreached"] ?? "";
  return String(error);
}

export function refusalText(refused: { code: string; message: string }): string {
  return words().faults[refused.code] ?? refused.message;
}

/** The reason why the visitor is no longer in the queue. */
export function waitOverText(reason: string): string {
  const { faults, home } = words();
  return reason === "left" ? home.waitOverElsewhere : (faults[reason] ?? home.waitOver);
}
