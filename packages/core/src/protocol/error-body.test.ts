import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFixture, readFixtureObject } from '../../test/read-fixture.js';
import { API_ERROR_CODES, RATE_LIMIT_HEADERS, apiErrorBodySchema } from './error-body.js';

const empty = { code: '', message: '', details: {}, requestId: '' };

describe('apiErrorBodySchema', () => {
  it.each([null, [], '', 'Bad Gateway', 502, true, [{ code: 'x' }]])(
    'reads %j as an empty body',
    (body) => {
      expect(apiErrorBodySchema.parse(body)).toStrictEqual(empty);
    },
  );

  it('reads an absent body as an empty one', () => {
    expect(apiErrorBodySchema.parse(undefined)).toStrictEqual(empty);
  });

  it.each(['code', 'message', 'details', 'requestId'] as const)(
    'empties %s when it is missing or invalid and keeps the rest',
    (name) => {
      const { [name]: _removed, ...rest } = readFixtureObject('error-validation');
      for (const body of [rest, { ...rest, [name]: null }, { ...rest, [name]: [7] }]) {
        expect(apiErrorBodySchema.parse(body)).toStrictEqual({ ...rest, [name]: empty[name] });
      }
    },
  );

  it('passes codes, details and fields on that it does not know', () => {
    const body = {
      ...empty,
      code: 'bot_missing_permission',
      details: { needs: ['X'] },
      traceId: 't',
    };
    expect(apiErrorBodySchema.parse(body)).toStrictEqual(body);
  });

  it('creates new details for every body', () => {
    const [first, second] = [apiErrorBodySchema.parse({}), apiErrorBodySchema.parse({})];
    expect(first.details).not.toBe(second.details);
    expect(apiErrorBodySchema.parse(1).details).not.toBe(apiErrorBodySchema.parse(2).details);
  });

  it('never throws, and always returns the four fields with their types', () => {
    const anyField = fc.dictionary(
      fc.constantFrom('code', 'message', 'details', 'requestId', '__proto__', 'constructor'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), anyField), (body) => {
        const read = apiErrorBodySchema.parse(body);
        expect(read).toEqual(
          expect.objectContaining({
            code: expect.any(String),
            message: expect.any(String),
            details: expect.any(Object),
            requestId: expect.any(String),
          }),
        );
        expect(Array.isArray(read.details)).toBe(false);
      }),
      { seed: 20, numRuns: 300 },
    );
  });
});

describe('API_ERROR_CODES', () => {
  it('are the two of the document', () => {
    expect(API_ERROR_CODES).toEqual({
      validation: readFixtureObject('error-validation')['code'],
      rateLimited: readFixtureObject('error-rate-limited')['code'],
    });
    expect(Object.values(API_ERROR_CODES)).toEqual(['bot_validation_error', 'bot_rate_limited']);
  });
});

describe('RATE_LIMIT_HEADERS', () => {
  it('are the four of the document, in lower case as in Node.js', () => {
    expect(Object.values(RATE_LIMIT_HEADERS)).toEqual([
      'retry-after',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
    ]);
  });

  it('name every header of a limited answer', () => {
    const headers = new Headers(readFixture('rate-limit-headers') as Record<string, string>);
    const values = Object.values(RATE_LIMIT_HEADERS).map((name) =>
      Number(headers.get(name) ?? 'none'),
    );
    expect(values.every(Number.isInteger)).toBe(true);
  });
});
