/** The faces of dice and cards in the texts of a game. */

const FIRST_PIP = 0x2680;

/** A stretch of text, or the face of a die. */
export type Run = { readonly text: string } | { readonly die: number };

/** The number on a die, or null if the text is something else. */
export function dieOf(text: string): number | null {
  const [char, ...rest] = text;
  if (char === undefined || rest.length > 0) return null;
  const n = (char.codePointAt(0) ?? 0) - FIRST_PIP + 1;
  return n >= 1 && n <= 6 ? n : null;
}

export function hasDice(text: string): boolean {
  return /[⚀-⚅]/u.test(text);
}

/** Splits a text into words, and each word at its dice. A line can break between words only, so
 * `3 × ⚄.` is one word. */
export function runsOf(text: string): readonly (readonly Run[])[] {
  const words = text.replaceAll(" × ", "\u00a0×\u00a0").split(" ");
  return words.map((word) =>
    word
      .split(/([⚀-⚅])/u)
      .filter((it) => it !== "")
      .map((it) => {
        const die = dieOf(it);
        return die === null ? { text: it } : { die };
      }),
  );
}

/** The text with each die as its number, for screen readers. */
export function spoken(text: string): string {
  return text.replaceAll(/[⚀-⚅]/gu, (it) => String(dieOf(it)));
}

/** The text with the name of a player for each `@seat`. */
export function withNames(text: string, names: readonly string[]): string {
  return text.replaceAll(/@(\d+)/g, (whole, seat: string) => names[Number(seat)] ?? whole);
}

/** True for the hearts and diamonds of a deck, which are printed in red. */
export function isRed(face: string): boolean {
  return /[♥♦♡♢]/u.test(face);
}
