import { describe, expect, it } from 'vitest';
import { createFakeRest } from '../../test/fake-rest.js';
import { observedRest } from './observed-rest.js';

describe('observedRest', () => {
  it('has each call made by the function, also of a client that is observed already', async () => {
    const { rest, calls } = createFakeRest();
    const seen: unknown[] = [];
    const observe =
      (by: string) => (name: string, call: () => unknown, given: readonly unknown[]) => {
        seen.push([by, name, given]);
        return call();
      };
    const observed = observedRest(observedRest(rest)(observe('inner')))(observe('outer'));
    const { channels, tokenRefused, close } = observed;
    const { typing } = channels;
    await typing('c');
    expect(seen).toEqual([
      ['outer', 'channels.typing', ['c']],
      ['inner', 'channels.typing', ['c']],
    ]);
    expect(calls).toEqual([{ endpoint: 'channels.typing', args: ['c'] }]);
    expect(tokenRefused).toBe(rest.tokenRefused);
    expect(close).toBe(rest.close);
  });
});
