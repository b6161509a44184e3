import type { Composer } from './composer.js';

/** The part of a keyboard event that the composer reads. */
export type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

function pressEnter(composer: Composer, key: Key): boolean {
  const isForced = key.ctrlKey || key.metaKey;
  if (key.shiftKey && !isForced) return false;
  const item = composer.isMenuOpen.peek()
    ? composer.items.peek()[composer.chosen.peek()]
    : undefined;
  const isComplete =
    item?.kind === 'command' &&
    composer.text.peek().trim().toLowerCase() === item.name.toLowerCase();
  if (isForced || item === undefined || isComplete) composer.submit(isForced && key.shiftKey);
  else composer.accept(item);
  return true;
}

function pressEscape(composer: Composer): boolean {
  if (composer.isMenuOpen.peek()) {
    composer.dismiss();
    return true;
  }
  if (composer.mode.peek().kind === 'new') return false;
  composer.cancelMode();
  return true;
}

function pressArrow(composer: Composer, key: Key): boolean {
  const step = key.key === 'ArrowDown' ? 1 : -1;
  const isEmpty = composer.text.peek() === '';
  if (key.ctrlKey || key.metaKey) return false;
  if (key.shiftKey) {
    if (step === 1 || !isEmpty) return false;
    composer.editLast();
    return true;
  }
  if (composer.isMenuOpen.peek() && composer.items.peek().length > 0) {
    composer.move(step);
    return true;
  }
  if ((!isEmpty && !composer.isRecalled()) || composer.mode.peek().kind !== 'new') return false;
  composer.recall(-step);
  return true;
}

function pressTab(composer: Composer, key: Key): boolean {
  if (key.shiftKey || !composer.isMenuOpen.peek()) return false;
  const item = composer.items.peek()[Math.max(0, composer.chosen.peek())];
  if (item === undefined || item.kind === 'as-text') return false;
  composer.accept(item);
  return true;
}

const KEYS: Readonly<Record<string, (composer: Composer, key: Key) => boolean>> = {
  Enter: pressEnter,
  Escape: pressEscape,
  ArrowUp: pressArrow,
  ArrowDown: pressArrow,
  Tab: pressTab,
};

/** Handles a key. Returns false if the text field should handle it. */
export const pressKey = (composer: Composer, key: Key): boolean =>
  !key.altKey && (KEYS[key.key]?.(composer, key) ?? false);
