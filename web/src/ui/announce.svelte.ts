/** Words for those who listen instead of looking. */

class Spoken {
  text = $state("");
}

export const spoken = new Spoken();

let last = "";

export function announce(text: string): void {
  // The same words twice are spoken twice.
  last = last === text ? `${text}\u00a0` : text;
  spoken.text = last;
}
