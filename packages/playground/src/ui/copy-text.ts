/**
 * Copies a text. Browsers have a clipboard only on this machine and over HTTPS; elsewhere, the older way is used.
 *
 * @returns whether it was copied
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

function copyByCommand(text: string): boolean {
  let isCopied = false;
  const copy = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData('text/plain', text);
    isCopied = event.clipboardData !== null;
  };
  document.addEventListener('copy', copy, { capture: true });
  try {
    // Deprecated, but there is nothing else without a clipboard.
    return document.execCommand('copy') && isCopied;
  } finally {
    document.removeEventListener('copy', copy, { capture: true });
  }
}
