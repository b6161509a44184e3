import { describe, expect, it } from 'vitest';
import { deriveId, deriveSecret } from './derive.js';

describe('deriveId', () => {
  it('makes a UUID that depends on seed and name alone', () => {
    const id = deriveId('seed', 'name');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(deriveId('seed', 'name')).toBe(id);
    expect(deriveId('seed', 'other')).not.toBe(id);
    expect(deriveId('other', 'name')).not.toBe(id);
  });

  it('keeps seed and name apart', () => {
    expect(deriveId('ab', 'c')).not.toBe(deriveId('a', 'bc'));
  });
});

describe('deriveSecret', () => {
  it('makes 32 hex digits that depend on seed and name alone', () => {
    expect(deriveSecret('seed', 'name')).toMatch(/^[0-9a-f]{32}$/);
    expect(deriveSecret('seed', 'name')).toBe(deriveSecret('seed', 'name'));
    expect(deriveSecret('seed', 'name')).not.toBe(deriveSecret('other', 'name'));
  });
});
