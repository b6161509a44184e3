import { describe, expect, it } from 'vitest';
import { toParts } from './answer.js';

describe('toParts', () => {
  it('treats a string as the content, and returns a message unchanged', () => {
    expect(toParts('Hello')).toEqual({ content: 'Hello' });
    const parts = { content: 'Hello', replyTo: 'f06b2e94-7d51-8a3c-9740-5c1e8b6da2f3' };
    expect(toParts(parts)).toBe(parts);
  });

  it.each([7, true, null, undefined])('leaves %j to the check of the content', (value) => {
    expect(toParts(value as unknown as string)).toEqual({ content: value });
  });
});
