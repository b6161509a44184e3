import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../test/fake-app.js';
import { createTheme } from './theme.js';

describe('createTheme', () => {
  it('cycles from auto to light to dark and back, and keeps the choice', () => {
    const storage = memoryStorage();
    const root = { dataset: {} as DOMStringMap };
    const theme = createTheme(storage, root);
    const seen = [theme.choice.value];
    for (let step = 0; step < 3; step += 1) {
      theme.next();
      seen.push(theme.choice.value);
      expect(createTheme(storage, root).choice.value).toBe(theme.choice.value);
      expect(root.dataset['theme'] ?? 'auto').toBe(theme.choice.value);
    }
    expect(seen).toEqual(['auto', 'light', 'dark', 'auto']);
  });

  it('treats an unknown stored value as auto', () => {
    const storage = memoryStorage();
    storage.setItem('virgule.theme', 'purple');
    expect(createTheme(storage, { dataset: {} }).choice.value).toBe('auto');
  });
});
