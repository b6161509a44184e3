import { orUndefined } from '@virgule/core/objects';

/** The part of `Storage` that the page uses. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Returns the storage of the browser, or a storage in memory if the browser denies access. */
export function openStorage(open: () => TextStorage): TextStorage {
  try {
    return open();
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    };
  }
}

const MAX_SENT = 50;

/** Returns the sent lines of a user, oldest first, at most 50. */
export function readSent(storage: TextStorage, userId: string): readonly string[] {
  const stored = storage.getItem(`virgule.sent.${userId}`) ?? '';
  const list = orUndefined<unknown>(() => JSON.parse(stored));
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** Adds a sent line at the end; moves a stored line to the end. */
export function writeSent(storage: TextStorage, userId: string, text: string): void {
  const list = [...readSent(storage, userId).filter((item) => item !== text), text];
  storage.setItem(`virgule.sent.${userId}`, JSON.stringify(list.slice(-MAX_SENT)));
}
