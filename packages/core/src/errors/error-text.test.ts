import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { errorCode, errorText, namedErrorText, readableError, toError } from './error-text.js';
import { isVirguleError } from './virgule-error.js';

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const throwing = (): never => {
  throw new TypeError('not for you');
};

class Sealed extends Error {
  override get message(): string {
    return throwing();
  }
}

/** Values that throw when they are read. */
const HOSTILE: readonly (readonly [string, () => unknown, string])[] = [
  ['a revoked proxy', revoked, 'a value that cannot be read'],
  ['a throwing proxy', () => new Proxy({}, { get: throwing }), 'a value that cannot be read'],
  [
    'a throwing message getter',
    () => ({
      get message() {
        return throwing();
      },
    }),
    'a value that cannot be read',
  ],
  ['an error with a throwing message getter', () => new Sealed(), 'a value that cannot be read'],
  ['a throwing toString', () => ({ code: 1, toString: throwing }), 'a value that cannot be read'],
  ['a throwing toJSON', () => ({ toJSON: throwing }), 'a value that cannot be read'],
  [
    'an object without a prototype',
    () => Object.assign(Object.create(null), { code: 1 }),
    '{"code":1}',
  ],
  [
    'a proxy whose traps throw',
    () =>
      new Proxy({}, { get: throwing, has: throwing, getPrototypeOf: throwing, ownKeys: throwing }),
    'a value that cannot be read',
  ],
  [
    'a revoked proxy of a function',
    () => {
      const { proxy, revoke } = Proxy.revocable(() => {}, {});
      revoke();
      return proxy;
    },
    'a value that cannot be read',
  ],
  [
    'a circle',
    () => {
      const a: Record<string, unknown> = {};
      a['self'] = a;
      return a;
    },
    'a value that cannot be read',
  ],
];

describe('errorText', () => {
  it.each([
    [new Error('no disk'), 'no disk'],
    [new TypeError(''), 'TypeError'],
    ['just text', 'just text'],
    ['', ''],
    [undefined, 'undefined'],
    [null, 'null'],
    [7, '7'],
    [7n, '7'],
    [Symbol('why'), 'Symbol(why)'],
    [{ code: 1 }, '{"code":1}'],
    [{ message: 'from another realm' }, 'from another realm'],
    [{ message: 7 }, '{"message":7}'],
    [[1, 2], '1,2'],
    [new URL('https://example.com/'), 'https://example.com/'],
    [Object.assign(new Error('x'), { message: 7 }), 'Error'],
  ])('of %s is %j', (thrown, text) => {
    expect(errorText(thrown)).toBe(text);
  });

  it.each(HOSTILE)('reads %s', (_, make, text) => {
    expect(errorText(make())).toBe(text);
  });

  it('cuts nothing: a secret at the cut would not be found', () => {
    const text = 'x'.repeat(10_000);
    expect(errorText({ body: text })).toBe(JSON.stringify({ body: text }));
    expect(errorText({ message: text })).toBe(text);
  });
});

describe('readableError', () => {
  it.each([[new Error('x')], ['text'], [undefined], [null], [{ code: 1 }], [7]])(
    'returns %s unchanged',
    (thrown) => {
      expect(readableError(thrown)).toBe(thrown);
    },
  );

  it.each(HOSTILE)('makes %s readable for guards and logs', (_, make) => {
    const error = readableError(make());
    expect(() => [
      error instanceof Error,
      Object(error).details,
      isVirguleError(error),
      `${errorText(error)}`,
    ]).not.toThrow();
  });

  it('replaces what throws when it is read', () => {
    expect(readableError(new Sealed())).toEqual(new Error('a value that cannot be read'));
    expect(readableError(revoked())).toEqual(new Error('a value that cannot be read'));
  });
});

describe('namedErrorText', () => {
  it('returns the name and the message of an error, and the text of anything else', () => {
    expect(namedErrorText(new TypeError('no'))).toBe('TypeError: no');
    expect(namedErrorText({ code: 1 })).toBe('{"code":1}');
  });

  it.each(HOSTILE)('does not throw for %s', (_, make) => {
    expect(() => namedErrorText(make())).not.toThrow();
  });
});

describe('toError', () => {
  it('returns a readable error itself, and an error with the text of anything else', () => {
    const error = new TypeError('no');
    expect(toError(error)).toBe(error);
    expect(toError('no')).toEqual(new Error('no'));
  });

  it.each(HOSTILE)('returns an error for %s', (_, make, text) => {
    expect(toError(make())).toEqual(new Error(text));
  });
});

describe('errorCode', () => {
  it('returns the code of an error, and undefined for anything else', () => {
    expect(errorCode(Object.assign(new Error('no file'), { code: 'ENOENT' }))).toBe('ENOENT');
    const foreign: unknown = runInNewContext(
      `Object.assign(new Error('no file'), { code: 'ENOENT' })`,
    );
    expect([foreign instanceof Error, errorCode(foreign)]).toEqual([false, 'ENOENT']);
    for (const other of [new Error('no code'), { code: 'ENOENT' }, 'ENOENT', undefined])
      expect(errorCode(other)).toBeUndefined();
  });

  it.each(HOSTILE)('returns undefined for %s', (_, make) => {
    expect(errorCode(make())).toBeUndefined();
  });
});

describe('isVirguleError', () => {
  it.each(HOSTILE)('says no to %s', (_, make) => {
    expect(isVirguleError(make())).toBe(false);
  });
});
