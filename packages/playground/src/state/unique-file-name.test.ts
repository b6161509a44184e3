import { describe, expect, it } from 'vitest';
import { uniqueFileName } from './unique-file-name.js';

describe('uniqueFileName', () => {
  it.each([
    ['image.png', [], 'image.png'],
    ['image.png', ['image.png'], 'image-2.png'],
    ['image.png', ['image.png', 'image-2.png'], 'image-3.png'],
    ['a.tar.gz', ['a.tar.gz'], 'a.tar-2.gz'],
    ['.env', ['.env'], '.env-2'],
    ['LICENSE', ['LICENSE'], 'LICENSE-2'],
  ])('names %s next to %j', (name, names, expected) => {
    expect(uniqueFileName(name, names)).toBe(expected);
  });
});
