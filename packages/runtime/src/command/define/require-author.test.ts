import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../context/command-context.js';
import { requireAuthor } from './require-author.js';

describe('requireAuthor', () => {
  it('throws without an author, with the usage as a message', async () => {
    const info = { name: 'x', aliases: ['y'], usage: '/x', messageUsage: '!x <n>' };
    // Only the members that a guard reads.
    const context = { commandName: 'y', commands: [info] } as unknown as CommandContext;
    const next = async () => 'ran';
    expect(() => requireAuthor()(context, next)).toThrow(
      expect.objectContaining({
        code: 'E_AUTHOR_UNKNOWN',
        details: { owner: '/y', usage: '!x <n>' },
      }),
    );
    const known = { ...context, author: { id: 'a', username: '', displayName: '' } };
    expect(await requireAuthor()(known, next)).toBe('ran');
  });

  it.each([undefined, null, 'x'])('returns no guard for %j, as of a misspelled name', (run) => {
    // JavaScript may pass anything.
    expect(requireAuthor(run as never)).toBe(run);
  });
});
