import { describe, expect, it } from 'vitest';
import { GENERAL, SANDBOX } from '../../test/sample-world.js';
import { documentTitle } from './place.js';

describe('documentTitle', () => {
  it('names the place and what is new', () => {
    const place = { channel: GENERAL, server: SANDBOX };
    expect(documentTitle(place, 0)).toBe('#general, Sandbox - Playground');
    expect(documentTitle(place, 3)).toBe('(3) #general, Sandbox - Playground');
    expect(documentTitle({ channel: null, server: null }, 0)).toBe('Playground');
  });
});
