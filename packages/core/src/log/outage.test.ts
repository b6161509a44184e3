import { expect, it } from 'vitest';
import { silentLog } from './log.js';
import { createOutage } from './outage.js';

it('logs the first failure of an outage, and its end', () => {
  const lines: unknown[] = [];
  const write =
    (level: string) =>
    (details: object, message: string): void =>
      void lines.push([level, details, message]);
  const outage = createOutage({
    ...silentLog,
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  });
  expect(outage.ended('is back')).toBe(false);
  for (const reason of ['down', 'still down'])
    outage.failed(new Error(reason), 'is away', { n: 1 });
  expect([outage.ended('is back', { n: 2 }), outage.ended('is back')]).toEqual([true, false]);
  outage.failed('full', 'is away', {}, 'error');
  expect(outage.ended()).toBe(true);
  expect(lines).toEqual([
    ['warn', { n: 1, error: 'down' }, 'is away'],
    ['info', { n: 2 }, 'is back'],
    ['error', { error: 'full' }, 'is away'],
  ]);
});
