import { describe, expect, it } from 'vitest';
import { contentLength } from './content-length.js';

describe('contentLength', () => {
  it('counts in the unit of the platform', () => {
    expect(contentLength('a🌻', 'utf-16-code-unit')).toBe(3);
    expect(contentLength('a🌻', 'code-point')).toBe(2);
  });
});
