import { describe, expect, it } from 'vitest';
import { isObject, isPlainObject, isRecord } from './is-object.js';

const values: readonly (readonly [
  name: string,
  value: unknown,
  object: boolean,
  record: boolean,
  plain: boolean,
])[] = [
  ['an object', { a: 1 }, true, true, true],
  ['an object without a prototype', Object.create(null), true, true, true],
  ['an error', new Error('no'), true, true, false],
  ['an array', [], true, false, false],
  ['null', null, false, false, false],
  ['nothing', undefined, false, false, false],
  ['a string', 'a', false, false, false],
  ['a function', () => {}, false, false, false],
];

describe('isObject, isRecord and isPlainObject', () => {
  it.each(values)('judge %s', (_name, value, object, record, plain) => {
    expect([isObject(value), isRecord(value), isPlainObject(value)]).toEqual([
      object,
      record,
      plain,
    ]);
  });
});
