import { describe, expect, it } from 'vitest';
import { dateTimeSchema, idSchema, int32Schema, int64Schema } from './values.js';

describe('idSchema', () => {
  it.each([
    ['version 1', 'd4a81c60-9e27-11ee-8b3f-2c7d5e9f0a46'],
    ['version 2', '000003e8-9e27-21ee-9b00-2c7d5e9f0a46'],
    ['version 3', '7c1f04b2-58d3-3e96-a7b1-9d40e6c8235f'],
    ['version 4', '5e9b3c17-a264-4d80-b91e-07f3c8d5624a'],
    ['version 5', 'a83d6f05-1c9b-5247-8e6a-b2f94d0713ce'],
    ['version 6', '1eda5f30-7b42-6c18-9e03-4f7a2b9c6d51'],
    ['version 7', '01934c7e-2b90-7a41-8c5d-6e0f9b2d4a17'],
    ['version 8', 'f06b2e94-7d51-8a3c-9740-5c1e8b6da2f3'],
    ['no version', '64e0d9b3-8a1f-0c52-0b7d-3f96c15e28a4'],
    ['a version and a variant of its own', 'c97b1f48-05d2-c3e6-d841-6a0e7b25f93d'],
    ['only zeros', '00000000-0000-0000-0000-000000000000'],
    ['only ones', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['capital letters', '5E9B3C17-A264-4D80-B91E-07F3C8D5624A'],
  ])('accepts an id with %s', (_kind, id) => {
    expect(idSchema.parse(id)).toBe(id);
  });

  it.each([
    '',
    '1',
    '5e9b3c17a2644d80b91e07f3c8d5624a',
    '{5e9b3c17-a264-4d80-b91e-07f3c8d5624a}',
    '5e9b3c17-a264-4d80-b91e-07f3c8d5624',
    '5e9b3c17-a264-4d80-b91e-07f3c8d5624g',
    ' 5e9b3c17-a264-4d80-b91e-07f3c8d5624a',
    '5e9b3c17-a264-4d80-b91e-07f3c8d5624a\n',
    '../5e9b3c17-a264-4d80-b91e-07f3c8d5624a',
  ])('rejects %j', (id) => {
    expect(idSchema.safeParse(id).success).toBe(false);
  });
});

describe('dateTimeSchema', () => {
  it.each([
    '2026-02-03T18:04:59Z',
    '2026-02-03T18:04:59.4Z',
    '2026-02-03T18:04:59.1234567Z',
    '2026-02-03T18:04:59+00:00',
    '2026-02-03T23:34:59.250+05:30',
    '2024-02-29T00:00:00-11:00',
  ])('accepts %s as it is', (text) => {
    expect(dateTimeSchema.parse(text)).toBe(text);
  });

  it.each([
    '',
    'now',
    '2026-02-03',
    '18:04:59Z',
    '2026-02-30T18:04:59Z',
    '2026-02-03T25:00:00Z',
    0,
    null,
  ])('rejects %j', (text) => {
    expect(dateTimeSchema.safeParse(text).success).toBe(false);
  });
});

describe('int32Schema', () => {
  it.each([0, -1, 2 ** 31 - 1, -(2 ** 31)])('accepts %d', (value) => {
    expect(int32Schema.parse(value)).toBe(value);
  });

  it.each([0.5, 2 ** 31, -(2 ** 31) - 1, Number.NaN, Number.POSITIVE_INFINITY, '1'])(
    'rejects %j',
    (value) => {
      expect(int32Schema.safeParse(value).success).toBe(false);
    },
  );
});

describe('int64Schema', () => {
  it.each([0, 2 ** 31, 5_368_709_120, Number.MAX_SAFE_INTEGER])('accepts %d', (value) => {
    expect(int64Schema.parse(value)).toBe(value);
  });

  it('rejects a number that has already lost digits', () => {
    expect(int64Schema.safeParse(JSON.parse('9007199254740993')).success).toBe(false);
  });

  it('rejects part of a byte', () => {
    expect(int64Schema.safeParse(1.5).success).toBe(false);
  });
});
