import { signal } from '@preact/signals';
import type { TextStorage } from '../state/stored-text.js';

export type ThemeChoice = 'auto' | 'light' | 'dark';

/** `first-paint.js` reads the same key before this code is loaded. */
const KEY = 'virgule.theme';

const NEXT: Readonly<Record<ThemeChoice, ThemeChoice>> = {
  auto: 'light',
  light: 'dark',
  dark: 'auto',
};

/** Creates the theme, which is applied to the root element and stored in the browser. */
export function createTheme(storage: TextStorage, root: { readonly dataset: DOMStringMap }) {
  const stored = storage.getItem(KEY);
  const choice = signal<ThemeChoice>(stored === 'light' || stored === 'dark' ? stored : 'auto');
  return {
    choice,
    /** Switches from auto to light to dark to auto. */
    next() {
      choice.value = NEXT[choice.peek()];
      if (choice.peek() === 'auto') {
        storage.removeItem(KEY);
        delete root.dataset['theme'];
      } else {
        storage.setItem(KEY, choice.peek());
        root.dataset['theme'] = choice.peek();
      }
    },
  };
}
