import { describe, expect, it } from 'vitest';
import { withColor } from './fork-child.js';

describe('withColor', () => {
  it.each([
    [{ TERM: 'xterm' }, '1'],
    [{ TERM: 'xterm-256color' }, '2'],
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, '3'],
    [{ FORCE_COLOR: '0' }, '0'],
    [{ NO_COLOR: '1' }, undefined],
  ])('has packages in an environment of %o use %s', (env, level) => {
    expect(withColor(env, true)['FORCE_COLOR']).toBe(level);
    expect(withColor(env, false)).toBe(env);
  });
});
