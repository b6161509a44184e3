import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { Outbox } from './outbox.js';

function open(options: { readonly maxWaiting?: number } = {}) {
  const clock = createFakeClock();
  const sent: string[][] = [];
  const lines: string[] = [];
  let isAway = false;
  const outbox = new Outbox<string>({
    async send(batch) {
      sent.push([...batch]);
      if (isAway) throw new Error('away');
    },
    name: 'items',
    clock,
    log: {
      ...silentLog,
      info: (_, message) => void lines.push(message),
      error: (_, message) => void lines.push(message),
    },
    isExpendable: (item) => item.startsWith('message'),
    ...options,
  });
  const setAway = (value: boolean): void => void (isAway = value);
  return { clock, outbox, sent, lines, setAway };
}

describe('Outbox', () => {
  it('sends together what comes together', async () => {
    const { clock, outbox, sent } = open();
    for (const item of ['a', 'b']) outbox.push(item);
    await clock.advance(0);
    outbox.push('c');
    await clock.advance(0);
    expect(sent).toEqual([['a', 'b'], ['c']]);
  });

  it('sends a batch that failed again, unchanged, before what came later', async () => {
    const { clock, outbox, sent, lines, setAway } = open();
    setAway(true);
    outbox.push('a');
    await clock.advance(50);
    outbox.push('b');
    await clock.advance(100);
    setAway(false);
    await clock.advance(100);
    expect(sent).toEqual([['a'], ['a'], ['a'], ['b']]);
    expect(lines).toEqual([
      'items cannot be sent to Redis; they are kept in memory',
      'items are sent to Redis again',
    ]);
  });

  it('drops the oldest messages first when too many wait, and reports it once', async () => {
    const { clock, outbox, sent, lines, setAway } = open({ maxWaiting: 3 });
    setAway(true);
    outbox.push('first');
    await clock.advance(0);
    for (const item of ['command', 'message 1', 'message 2', 'command 2', 'command 3', 'command 4'])
      outbox.push(item);
    expect([outbox.dropped, outbox.waiting]).toEqual([3, 4]);
    setAway(false);
    await clock.advance(100);
    expect(sent.at(-1)).toEqual(['command 2', 'command 3', 'command 4']);
    expect(lines.filter((line) => line.startsWith('too many'))).toHaveLength(1);
  });

  it('returns how many are lost when it is closed', async () => {
    const { clock, outbox, setAway } = open();
    outbox.push('a');
    await clock.advance(0);
    setAway(true);
    for (const item of ['b', 'c']) outbox.push(item);
    const closing = outbox.close(1_000);
    await clock.advance(1_000);
    expect(await closing).toBe(2);
    await clock.advance(1_000);
    expect(clock.pending).toBe(0);
  });
});
