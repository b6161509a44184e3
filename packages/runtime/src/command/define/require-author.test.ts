import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../context/command-context.js';
import { requireAuthor } from './require-author.js';

describe('requireAuthor', () => {
  it('throws without an author', async () => {
    // Only the members that a guard reads.
    const context = { commandName: 'y' } as unknown as CommandContext;
    const next = async () => 'ran';
    expect(() => requireAuthor()(context, next)).toThrow(
      expect.objectContaining({ code: 'E_AUTHOR_UNKNOWN', details: { owner: '/y' } }),
    );
    const known = { ...context, author: { id: 'a', username: '', displayName: '' } };
    expect(await requireAuthor()(known, next)).toBe('ran');
  });

  it.each([undefined, null, 'x'])('returns no guard for %j, as of a misspelled name', (run) => {
    // JavaScript may pass anything.
    expect(requireAuthor(run as never)).toBe(run);
  });
});
