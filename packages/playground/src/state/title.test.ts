import { describe, expect, it } from 'vitest';
import { documentTitle } from './title.js';

describe('documentTitle', () => {
  it('names the place and what is new', () => {
    const place = { channelName: 'general', serverName: 'Sandbox' };
    expect(documentTitle({ ...place, unread: 0 })).toBe('#general, Sandbox - Playground');
    expect(documentTitle({ ...place, unread: 3 })).toBe('(3) #general, Sandbox - Playground');
    expect(documentTitle({ channelName: null, serverName: null, unread: 0 })).toBe('Playground');
  });
});
