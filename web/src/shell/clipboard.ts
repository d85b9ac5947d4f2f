/** Copies a text if the browser allows it. Pages that were not loaded over HTTPS have no clipboard. */
export async function copyText(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  await clipboard?.writeText(text).catch(() => undefined);
}
