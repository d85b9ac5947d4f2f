/** Words for those who listen instead of looking. */

class Spoken {
  text = $state("");
}

export const spoken = new Spoken();

export function announce(text: string): void {
  // The same words twice are spoken twice.
  spoken.text = spoken.text === text ? `${text}\u00a0` : text;
}
