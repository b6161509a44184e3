import type { Store } from '../app/store.js';

const FLASH_MS = 1200;

/** Scrolls to a message, focuses its row and highlights it briefly. */
export function jumpTo(store: Store, messageId: string): void {
  const row = document.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`);
  if (row === null) return;
  row.scrollIntoView({ block: 'center' });
  row.focus({ preventScroll: true });
  store.flashedId.value = messageId;
  setTimeout(() => {
    if (store.flashedId.peek() === messageId) store.flashedId.value = null;
  }, FLASH_MS);
}
