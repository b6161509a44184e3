import { describe, expect, it } from 'vitest';
import { frameMultipart, mediaType } from './multipart.js';

describe('frameMultipart', () => {
  it('writes the fields in their order and the file last', () => {
    const file = { fileName: 'a.txt', contentType: 'text/plain' };
    const { contentType, head, tail } = frameMultipart({ key: 'k', size: 5 }, file, () => 0.5);
    const boundary = 'virgule-i00000000000i00000000000';
    expect(contentType).toBe(`multipart/form-data; boundary=${boundary}`);
    expect(Buffer.concat([head, Buffer.from('hello'), tail]).toString('utf8')).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="key"',
        '',
        'k',
        `--${boundary}`,
        'Content-Disposition: form-data; name="size"',
        '',
        '5',
        `--${boundary}`,
        'Content-Disposition: form-data; name="file"; filename="a.txt"',
        'Content-Type: text/plain',
        '',
        'hello',
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    );
  });
});

describe('mediaType', () => {
  it('lets no content type begin a header of its own', () => {
    expect(mediaType('image/png; a="b"')).toBe('image/png; a="b"');
    expect(mediaType('image/png\r\nX-Evil: 1')).toBe('application/octet-stream');
    expect(mediaType('')).toBe('application/octet-stream');
  });
});
