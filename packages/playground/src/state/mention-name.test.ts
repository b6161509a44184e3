import { describe, expect, it } from 'vitest';
import { GENERAL, GRACE, snapshot } from '../../test/sample-world.js';
import { mentionName, namesIn } from './mention-name.js';

describe('mentionName', () => {
  it('names what is known and marks the rest as unknown', () => {
    const world = namesIn(snapshot());
    expect(mentionName(world, 'user', GRACE.id)).toBe('@Grace');
    expect(mentionName(world, 'channel', GENERAL.id)).toBe('#general');
    expect(mentionName(world, 'role', 'x')).toBe('@unknown role');
    expect(mentionName(world, 'user', 'x')).toBe('@unknown user');
    expect(mentionName(world, 'channel', 'x')).toBe('#unknown channel');
  });
});
