import { describe, expect, it } from 'vitest';
import { contentTypeOf } from './content-type.js';

describe('contentTypeOf', () => {
  it.each([
    ['cat.png', 'image/png'],
    ['CAT.JPEG', 'image/jpeg'],
    ['song.v2.mp3', 'audio/mpeg'],
    ['notes.txt', 'text/plain'],
    ['archive.tar.gz', 'application/gzip'],
    ['a/b.c/notes', 'application/octet-stream'],
    ['.png', 'image/png'],
    ['png', 'application/octet-stream'],
    ['cat.', 'application/octet-stream'],
    ['cat.constructor', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('takes %j for %s', (fileName, contentType) => {
    expect(contentTypeOf(fileName)).toBe(contentType);
  });
});
