import { signal } from '@preact/signals';
import type { TextStorage } from '../state/stored-text.js';

/** Key of the stored choice, which `first-paint.js` reads before this code is loaded. */
const KEY = 'virgule.theme';

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const;

export type ThemeChoice = keyof typeof NEXT;

/** Creates the theme, which is applied to the root element and stored in the browser. */
export function createTheme(storage: TextStorage, root: { readonly dataset: DOMStringMap }) {
  const stored = storage.getItem(KEY);
  const choice = signal<ThemeChoice>(stored === 'light' || stored === 'dark' ? stored : 'auto');
  return {
    choice,
    /** Switches from auto to light to dark to auto. */
    next() {
      choice.value = NEXT[choice.peek()];
      storage.setItem(KEY, choice.peek());
      root.dataset['theme'] = choice.peek();
    },
  };
}
