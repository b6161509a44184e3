import { createFakeClock } from '@virgule/core/clock';
import { expect, it } from 'vitest';
import { createRecordedLog } from '../../test/recorded-log.js';
import { createMemoryDriver } from '../storage/memory-storage.js';
import { StorageConnection } from '../storage/storage-connection.js';
import { Leadership } from './leadership.js';

function processes() {
  const clock = createFakeClock();
  const driver = createMemoryDriver(() => clock.now());
  const events: string[] = [];
  function start(name: string, { isShared = true } = {}) {
    const log = createRecordedLog();
    const stopping = new AbortController();
    const state = { isAway: false };
    const storage = new StorageConnection(
      {
        name: 'a server',
        open: async () => ({
          ...driver,
          async swap(...change) {
            if (state.isAway) throw new Error('no answer');
            return driver.swap(...change);
          },
        }),
      },
      { clock, log, root: '' },
    );
    const { signal } = stopping;
    const leadership = new Leadership({ clock, log, signal, storage: isShared ? storage : null });
    return {
      log,
      state,
      lead: (work: (signal: AbortSignal) => unknown) => leadership.whileLeading(work),
      loop: () =>
        leadership.whileLeading(async (term) => {
          events.push(`${name} begins`);
          await new Promise((resolve) => term.addEventListener('abort', resolve));
          events.push(`${name} ends`);
        }),
      close() {
        stopping.abort();
        return leadership.close();
      },
    };
  }
  return { clock, events, start };
}

it('leads at once in a bot of one process, until it stops', async () => {
  const { clock, events, start } = processes();
  const one = start('one', { isShared: false });
  one.loop();
  await clock.advance(0);
  expect(events).toEqual(['one begins']);
  await one.close();
  one.loop();
  await clock.advance(0);
  expect(events).toEqual(['one begins', 'one ends']);
});

it('lets one process lead, and another one when the leader stops', async () => {
  const { clock, events, start } = processes();
  const [one, two] = [start('one'), start('two')];
  one.loop();
  await clock.advance(10);
  two.loop();
  two.loop();
  await clock.advance(60_000);
  expect(events).toEqual(['one begins']);
  await one.close();
  await clock.advance(2_000);
  expect(events).toEqual(['one begins', 'one ends', 'two begins', 'two begins']);
  expect(two.log.at('info')).toEqual(['this process leads']);
  await two.close();
});

it('stops a leader without storage before another process leads, and calls it again later', async () => {
  const { clock, events, start } = processes();
  const [one, two] = [start('one'), start('two')];
  one.loop();
  await clock.advance(10);
  two.loop();
  one.state.isAway = true;
  await clock.advance(12_000);
  expect(events).toEqual(['one begins', 'one ends', 'two begins']);
  expect(one.log.at('warn')).toEqual(['the leader is unknown']);
  expect(one.log.at('info')).toEqual(['this process leads', 'this process no longer leads']);
  one.state.isAway = false;
  await two.close();
  await clock.advance(2_000);
  expect(events.at(-1)).toBe('one begins');
  await one.close();
});

it('does not call a function that has not ended, and logs its error', async () => {
  const { clock, start } = processes();
  const one = start('one');
  let calls = 0;
  let end: () => void = () => {};
  one.lead(() => {
    calls += 1;
    return new Promise<void>((resolve) => (end = resolve));
  });
  one.lead(() => Promise.reject(new Error('no feed')));
  await clock.advance(1_000);
  expect(one.log.at('error')).toEqual(['a function of whileLeading failed: no feed']);
  one.state.isAway = true;
  await clock.advance(10_000);
  one.state.isAway = false;
  await clock.advance(10_000);
  expect(calls).toBe(1);
  end();
  await clock.advance(0);
  expect(calls).toBe(2);
  end();
  await one.close();
});
