import { describe, expect, it } from 'vitest';
import { isObject, isRecord } from './is-object.js';

const values: readonly (readonly [
  name: string,
  value: unknown,
  object: boolean,
  record: boolean,
])[] = [
  ['an object', { a: 1 }, true, true],
  ['an object without a prototype', Object.create(null), true, true],
  ['an error', new Error('no'), true, true],
  ['an array', [], true, false],
  ['null', null, false, false],
  ['nothing', undefined, false, false],
  ['a string', 'a', false, false],
  ['a function', () => {}, false, false],
];

describe('isObject and isRecord', () => {
  it.each(values)('judge %s', (_name, value, object, record) => {
    expect([isObject(value), isRecord(value)]).toEqual([object, record]);
  });
});
