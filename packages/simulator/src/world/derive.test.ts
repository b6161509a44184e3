import { describe, expect, it } from 'vitest';
import { deriveId, deriveSecret, numberedIds } from './derive.js';

describe('deriveId', () => {
  it('makes a UUID that depends on seed and name alone', () => {
    const id = deriveId('seed', 'name');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(deriveId('seed', 'name')).toBe(id);
    expect(deriveId('seed', 'other')).not.toBe(id);
    expect(deriveId('other', 'name')).not.toBe(id);
  });

  it.each([
    ['seed', 'name', '2cabb14d-48dc-51a7-8eca-80c1fb62733c'],
    ['virgule', 'message:1', 'd7bbc7d8-e2f2-56c0-80e6-91a31d00a7b0'],
    ['virgule', 'message:2', '649ba7d2-eac3-5bef-afb5-6ac0493bd342'],
    ['é', 'user:ada', 'f11e1c58-ac9b-5271-8a59-bff0a0c5b7f4'],
  ])('derives the same id from %s and %s in every version', (seed, name, id) => {
    expect(deriveId(seed, name)).toBe(id);
  });

  it('keeps seed and name apart', () => {
    expect(deriveId('ab', 'c')).not.toBe(deriveId('a', 'bc'));
  });
});

describe('numberedIds', () => {
  it('makes UUIDs of which neither the first nor the last digits are the same', () => {
    const idOf = numberedIds('seed', 'message');
    const ids = Array.from({ length: 10_000 }, (_, number) => idOf(number));
    const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(ids.filter((id) => !isId.test(id))).toEqual([]);
    expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(10_000);
    expect(new Set(ids.map((id) => id.slice(-8))).size).toBe(10_000);
  });

  it.each([
    ['seed', 'message', 0],
    ['seed', 'message', 7],
    ['virgule', 'interaction', 2 ** 32 - 1],
  ])('depends on %s, %s and %s alone', (seed, kind, number) => {
    const id = numberedIds(seed, kind)(number);
    expect(numberedIds(seed, kind)(number)).toBe(id);
    expect(numberedIds('other', kind)(number)).not.toBe(id);
    expect(numberedIds(seed, 'other')(number)).not.toBe(id);
    expect(numberedIds(seed, kind)(number ^ 1)).not.toBe(id);
  });
});

describe('deriveSecret', () => {
  it('makes 32 hex digits that depend on seed and name alone', () => {
    expect(deriveSecret('seed', 'name')).toMatch(/^[0-9a-f]{32}$/);
    expect(deriveSecret('seed', 'name')).toBe(deriveSecret('seed', 'name'));
    expect(deriveSecret('seed', 'name')).not.toBe(deriveSecret('other', 'name'));
  });
});
