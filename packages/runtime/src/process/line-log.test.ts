import { createRedactor } from '@virgule/core/log';
import { expect, it } from 'vitest';
import { createLog } from './create-log.js';
import { createLineLog } from './line-log.js';

function open(level: string) {
  const lines: string[] = [];
  const redact = createRedactor(['open-sesame']);
  return { lines, log: createLineLog(level, redact, (line) => void lines.push(line)), redact };
}

it.each<[string, object]>([
  ['no details', {}],
  ['values', { a: 'x', b: 1, c: true, d: [null, { e: 'f' }], g: undefined }],
  ['an error', { err: new TypeError('no luck', { cause: new Error('rain') }), other: new Error() }],
  ['an error in place of details', new RangeError('no luck')],
  ['a value under the key of errors', { err: 'no luck' }],
  ['a secret, and the name of one', { text: 'say open-sesame', apiToken: 'made-up' }],
])('writes the lines of createLog, without the time: %s', (_, details) => {
  const { lines, log, redact } = open('debug');
  const expected: string[] = [];
  const write = (line: string): void => void expected.push(line.replace(/"time":\d+,/, ''));
  const other = createLog({ level: 'debug', destination: { write }, redact });
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    for (const each of [log, other]) each[level](details, 'done "well"');
  expect(lines).toEqual(expected);
});

it.each([
  ['trace', 4],
  ['warn', 2],
  ['fatal', 0],
  ['silent', 0],
])('writes the levels from %s on', (level, count) => {
  const { lines, log } = open(level);
  const levels = ['debug', 'info', 'warn', 'error'] as const;
  for (const each of levels) log[each]({}, each);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(count ? levels.slice(-count) : []);
  expect(levels.filter((each) => log.isLevelEnabled?.(each))).toHaveLength(count);
});

it.each<[string, (details: Record<string, unknown>) => void, object]>([
  ['a large integer', (details) => (details['size'] = 1n), { size: '1' }],
  ['a circle', (details) => (details['self'] = details), { self: { self: '[Circular]' } }],
  ['no JSON', (details) => (details['toJSON'] = () => undefined), { details: 'not readable' }],
])('writes what JSON cannot express, without secrets: %s', (_, add, expected) => {
  const { lines, log } = open('info');
  const details: Record<string, unknown> = { token: 'made-up', msg: 'x' };
  add(details);
  log.hide?.(['rosebud']);
  log.info(details, 'round rosebud');
  expect(lines.join('')).not.toContain('made-up');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 30,
    msg: 'round [redacted]',
    ...expected,
  });
});

it('refuses an unknown level', () => {
  expect(() => open('loud')).toThrow('LOG_LEVEL is "loud", which is not a log level.');
});
