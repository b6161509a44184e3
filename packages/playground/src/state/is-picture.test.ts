import { describe, expect, it } from 'vitest';
import { isPicture } from './is-picture.js';

describe('isPicture', () => {
  it.each([
    ['image/png', '/_sim/file?id=1', true],
    ['IMAGE/JPEG', '/_sim/file?id=1', true],
    ['image/png', 'https://example.com/a.png', false],
    ['image/svg+xml', '/_sim/file?id=1', false],
    ['image/png, text/html', '/_sim/file?id=1', false],
    ['text/html', '/_sim/file?id=1', false],
    ['', '/_sim/file?id=1', false],
  ])('of the type %j at %s: %s', (contentType, url, expected) => {
    expect(isPicture({ contentType }, url)).toBe(expected);
  });
});
