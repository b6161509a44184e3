import type { BotProcess, BotProcessOptions } from '../src/dev/bot-process.js';
import type { ReloadOutcome, ToChild } from '../src/dev/messages.js';

type Start = Awaited<BotProcess['started']>;
const LOADED: Start = { outcome: 'loaded', commands: 2, events: 1 };

/** A bot's process without a process: the test says what it does. */
export function createFakeProcess(options: BotProcessOptions) {
  let begin: (start: Start) => void = () => {};
  let end: () => void = () => {};
  let answer: (result: ReloadOutcome | null) => void = () => {};
  const fake = {
    options,
    received: [] as ToChild[],
    reloads: [] as (readonly string[])[],
    isEnded: false,
    isStopped: false,
    /** Takes no messages any more, as in the moment before its end is known. */
    isDeaf: false,
    undelivered: 0,
    start: (start: Start = LOADED) => begin(start),
    answer: (result: ReloadOutcome | null) => answer(result),
    end() {
      fake.isEnded = true;
      begin({ outcome: 'lost', how: 'stopped' });
      answer(null);
      end();
    },
    /** Ends without having been told to. */
    lose(how = 'exit code 1') {
      fake.end();
      options.onLost(how);
    },
    /** What the events that reached it carry. */
    events: () => fake.received.flatMap((said) => (said.type === 'event' ? [said.event.d] : [])),
    process: {
      pid: 1,
      started: new Promise<Start>((resolve) => (begin = resolve)),
      ended: new Promise<void>((resolve) => (end = resolve)),
      send(message, onUndelivered = () => {}) {
        if (fake.isDeaf || fake.isEnded) {
          fake.undelivered += 1;
          onUndelivered();
        } else {
          fake.received.push(message);
        }
      },
      reload(files) {
        fake.reloads.push(files);
        return new Promise((resolve) => (answer = resolve));
      },
      async stop() {
        fake.isStopped = true;
        fake.end();
      },
    } satisfies BotProcess,
  };
  return fake;
}
export type FakeProcess = ReturnType<typeof createFakeProcess>;
