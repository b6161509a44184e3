import { commandWord } from '../state/bots.js';
import type { Composer } from './composer.js';

/** The part of a keyboard event that is read. */
export interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** What keys do in addition to the public methods of the composer. */
export interface ComposerKeys {
  readonly composer: Composer;
  /** Selects the next or the previous item of the menu. */
  move(step: number): void;
  /** Goes back (1) or forward (-1) in the sent lines. */
  recall(step: number): void;
  editLast(): void;
  /** Returns whether the text is an unchanged sent line. */
  isRecalled(): boolean;
  /** Closes the menu until the text changes. */
  dismiss(): void;
}

function pressEnter({ composer }: ComposerKeys, key: Key): boolean {
  const isForced = key.ctrlKey || key.metaKey;
  if (key.shiftKey && !isForced) return false;
  const item = composer.isMenuOpen.peek()
    ? composer.items.peek()[composer.chosen.peek()]
    : undefined;
  const isComplete =
    item?.kind === 'command' &&
    composer.text.peek().trim().toLowerCase() === `/${commandWord(item.command).toLowerCase()}`;
  if (isForced || item === undefined || isComplete) composer.submit(isForced && key.shiftKey);
  else composer.accept(item);
  return true;
}

function pressEscape(keys: ComposerKeys): boolean {
  const { composer } = keys;
  if (composer.isMenuOpen.peek()) {
    keys.dismiss();
    return true;
  }
  if (composer.mode.peek().kind === 'new') return false;
  composer.cancelMode();
  return true;
}

function pressArrow(keys: ComposerKeys, key: Key): boolean {
  const { composer } = keys;
  const step = key.key === 'ArrowDown' ? 1 : -1;
  const isEmpty = composer.text.peek() === '';
  if (key.ctrlKey || key.metaKey) return false;
  if (key.shiftKey) {
    if (step === 1 || !isEmpty) return false;
    keys.editLast();
    return true;
  }
  if (composer.isMenuOpen.peek() && composer.items.peek().length > 0) {
    keys.move(step);
    return true;
  }
  if ((!isEmpty && !keys.isRecalled()) || composer.mode.peek().kind !== 'new') return false;
  keys.recall(-step);
  return true;
}

function pressTab({ composer }: ComposerKeys, key: Key): boolean {
  if (key.shiftKey || !composer.isMenuOpen.peek()) return false;
  const item = composer.items.peek()[Math.max(0, composer.chosen.peek())];
  if (item === undefined || item.kind === 'as-text') return false;
  composer.accept(item);
  return true;
}

/** Handles a key. Returns false if the text field should handle it. */
export function pressKey(keys: ComposerKeys, key: Key): boolean {
  if (key.altKey) return false;
  switch (key.key) {
    case 'Enter':
      return pressEnter(keys, key);
    case 'Escape':
      return pressEscape(keys);
    case 'ArrowUp':
    case 'ArrowDown':
      return pressArrow(keys, key);
    case 'Tab':
      return pressTab(keys, key);
    default:
      return false;
  }
}
