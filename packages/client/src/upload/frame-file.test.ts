import { describe, expect, it } from 'vitest';
import { frameFile } from './uploader.js';

describe('frameFile', () => {
  it('writes the fields in their order and the file last', () => {
    const file = { fileName: 'a.txt', contentType: 'text/plain' };
    const { contentType, head, tail } = frameFile({ key: 'k', size: 5 }, file, () => 0.5);
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

  it.each([
    ['image/png; a="b"', 'image/png; a="b"'],
    ['image/png\r\nX-Evil: 1', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('lets no content type begin a header of its own: %j', (given, contentType) => {
    const file = { fileName: 'a', contentType: given };
    expect(frameFile({}, file, () => 0)).toMatchObject({ method: 'PUT', contentType });
    const { head } = frameFile({ key: 'k' }, file, () => 0);
    expect(String(head)).toContain(`Content-Type: ${contentType}\r\n\r\n`);
  });
});
