import type { MessageEvent } from '@virgule/core/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../core/test/fixtures/property-runs.js';
import { interactionId, OTHER_USER } from '../../test/ids.js';
import { messageWith } from '../../test/messages.js';
import { startTestBot } from '../../test/test-bot.js';
import { defineEvent, type EventOptions } from './define-event.js';

interface Rule {
  readonly overlap: NonNullable<EventOptions['overlap']>;
  readonly burstMs: number;
}

/** A message: the time since the previous one, and its handler. */
interface Said {
  readonly afterMs: number;
  readonly runMs: number;
  /** `true` if the handler does not end with its signal. */
  readonly isDeaf: boolean;
}

interface Run {
  readonly atMs: number;
  readonly message: number;
  readonly skipped: readonly number[];
}

interface Arrival extends Said {
  readonly atMs: number;
}

const PATIENCE_MS = 60_000;

/** Returns the runs that a lane must make for these messages, by simple bookkeeping. */
function expected({ overlap, burstMs }: Rule, arrivals: readonly Arrival[]): readonly Run[] {
  const made: Run[] = [];
  const isQueue = overlap === 'queue' && burstMs === 0;
  let current: { readonly run: Run; endMs: number; patientUntilMs: number } | undefined;
  let waiting: Omit<Run, 'atMs'>[] = [];
  let firstMs = 0;
  let quietMs = 0;

  function advance(toMs: number): void {
    for (let nowMs = 0; ;) {
      if (current) {
        const freeMs = Math.min(current.endMs, current.patientUntilMs);
        if (freeMs > toMs) return;
        nowMs = freeMs;
        current = undefined;
      }
      const [next] = waiting;
      const atMs = Math.max(nowMs, quietMs, firstMs);
      if (!next || atMs > toMs) return;
      waiting = waiting.slice(1);
      const run = { ...next, atMs };
      made.push(run);
      const endMs = atMs + (arrivals[next.message]?.runMs ?? 0);
      const patientUntilMs = waiting.length > 0 ? atMs + PATIENCE_MS : Infinity;
      current = { run, endMs, patientUntilMs };
    }
  }

  for (const [message, { atMs }] of arrivals.entries()) {
    advance(atMs);
    if (current && overlap === 'drop') continue;
    const [replaced = overlap === 'abort' ? current?.run : undefined] = isQueue ? [] : waiting;
    const skipped = replaced && !isQueue ? [...replaced.skipped, replaced.message] : [];
    if (waiting.length === 0) firstMs = atMs;
    if (current && overlap === 'abort' && !arrivals[current.run.message]?.isDeaf)
      current.endMs = Math.min(current.endMs, atMs);
    if (current && current.patientUntilMs === Infinity) current.patientUntilMs = atMs + PATIENCE_MS;
    waiting = [...(isQueue ? waiting : []), { message, skipped }];
    quietMs = Math.min(atMs + burstMs, firstMs + 10 * burstMs);
    advance(atMs);
  }
  advance(Infinity);
  return made;
}

const rules: fc.Arbitrary<Rule> = fc.record({
  overlap: fc.constantFrom('queue', 'latest', 'drop', 'abort'),
  burstMs: fc.constantFrom(0, 0, 1_000, 1_500),
});
const messages: fc.Arbitrary<readonly Said[]> = fc.array(
  fc.record({
    afterMs: fc.constantFrom(0, 1, 300, 999, 1_000, 1_500, 4_000, 30_000),
    runMs: fc.constantFrom(1, 400, 1_000, 2_000, 5_000, 70_000),
    isDeaf: fc.boolean(),
  }),
  { minLength: 1, maxLength: 9 },
);
const CHANNELS = 40;

describe('overlap and burst', () => {
  it('make the runs of the model, in order, with each message in one run', async () => {
    const sequences = fc.array(messages, { minLength: CHANNELS, maxLength: CHANNELS });
    await fc.assert(
      fc.asyncProperty(rules, sequences, async (rule, saids) => {
        const { overlap, burstMs } = rule;
        const lanes = saids.map((said) => {
          let atMs = 0;
          const arrivals = said.map((each) => ({ ...each, atMs: (atMs += each.afterMs) }));
          return { arrivals, made: [] as Run[] };
        });
        const read = ({ content }: MessageEvent): readonly [number, number] => {
          const [lane = 0, message = 0] = content.split(' ').map(Number);
          return [lane, message];
        };
        const bot = await startTestBot({
          'events/message-create.ts': {
            default: defineEvent(
              'MESSAGE_CREATE',
              async ({ data, skipped, clock }) => {
                const [lane, message] = read(data);
                const atMs = bot.clock.elapsedMs;
                lanes[lane]?.made.push({
                  atMs,
                  message,
                  skipped: skipped.map((each) => read(each)[1]),
                });
                const { runMs = 0, isDeaf } = lanes[lane]?.arrivals[message] ?? {};
                await (isDeaf ? bot.clock.sleep(runMs) : clock.sleep(`${runMs}ms`));
              },
              { overlap, burst: burstMs > 0 ? `${burstMs}ms` : undefined },
            ),
          },
        });
        const all = lanes.flatMap(({ arrivals }, lane) =>
          arrivals.map(({ atMs }, message) => ({ atMs, lane, message })),
        );
        for (const { atMs, lane, message } of all.toSorted((a, b) => a.atMs - b.atMs)) {
          await bot.clock.advance(atMs - bot.clock.elapsedMs);
          const channelId = interactionId(lane);
          const content = `${lane} ${message}`;
          bot.emit('MESSAGE_CREATE', messageWith({ authorId: OTHER_USER, channelId, content }));
        }
        await bot.clock.advance(1_000_000);
        expect(bot.bot.running).toBe(0);
        for (const { arrivals, made } of lanes) {
          expect(made).toEqual(expected(rule, arrivals));
          const handled = made.map(({ message }) => message);
          expect(handled).toEqual(handled.toSorted((a, b) => a - b));
          expect(misplaced(rule, made, arrivals.length)).toEqual([]);
        }
        await bot.bot.close();
      }),
      { numRuns: runs(10_000 / CHANNELS) },
    );
  });
});

/** Returns the messages that no run covers, or that two runs cover, without the model. An aborted message is in several runs. */
function misplaced({ overlap }: Rule, made: readonly Run[], count: number): readonly number[] {
  const covered = made.flatMap(({ message, skipped }) => [...skipped, message]);
  const times = (each: number): number => covered.filter((other) => other === each).length;
  return Array.from({ length: count }, (_, n) => n).filter(
    (each) => (times(each) === 0 && overlap !== 'drop') || (times(each) > 1 && overlap !== 'abort'),
  );
}
