import { describe, expect, it } from 'vitest';
import { safeLink } from './safe-link.js';

describe('safeLink', () => {
  it.each(['https://example.com/a?b=c', 'http://localhost:7300/', 'HTTPS://EXAMPLE.COM/'])(
    'opens %s',
    (address) => {
      expect(safeLink(address)).toBe(new URL(address).href);
    },
  );

  it.each([
    'javascript:alert(1)',
    ' https://example.com',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    '//example.com',
    '/path',
    'https://',
    'https://[bad',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '',
  ])('does not open %j', (address) => {
    expect(safeLink(address)).toBeNull();
  });
});
