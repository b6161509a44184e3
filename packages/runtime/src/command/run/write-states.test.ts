import { createFakeClock } from '@virgule/core/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateLimited } from '../../../test/client-failures.js';
import type { Answer, AnswerStates, MessageInput, MessageParts } from '../answer/answer.js';
import { pursuing } from '../../../test/pursuing.js';
import { createFakeRest } from '../../../test/fake-rest.js';
import { CHANNEL } from '../../../test/ids.js';
import { createTestEnvironment } from '../../../test/test-environment.js';
import type { CommandRun } from './command-run.js';
import { writeStates } from './write-states.js';
import { runs } from '../../../../core/test/fixtures/property-runs.js';

const INTERVAL_MS = 250;

/** Runs a generator as a handler's answer and records what is written when. */
function stream(
  make: (clock: ReturnType<typeof createFakeClock>) => AnswerStates,
  { writeMs = 0, failAt = Infinity, limitAt = Infinity } = {},
) {
  const clock = createFakeClock();
  const startMs = clock.monotonic();
  const abort = new AbortController();
  const written: string[] = [];
  let writing = 0;
  let maxWriting = 0;
  let tries = 0;
  const states = make(clock);
  const write = async ({ content }: MessageParts): Promise<void> => {
    tries += 1;
    if (tries === limitAt) throw rateLimited();
    writing += 1;
    maxWriting = Math.max(maxWriting, writing);
    written.push(`${content}@${clock.monotonic() - startMs}`);
    if (written.length >= failAt) throw new Error('not written');
    if (writeMs > 0) await clock.sleep(writeMs);
    writing -= 1;
  };
  const { rest, always } = createFakeRest();
  always('attachments.uploadAll', []);
  const prepare = <T>(task: T): T => task;
  // The used members of a run.
  const run = {
    env: createTestEnvironment({ clock, rest }),
    event: { channelId: CHANNEL },
    lifetime: { signal: abort.signal },
    init: {},
    interaction: { write, messages: { prepare }, pursue: pursuing(clock), finish() {} },
  } as unknown as CommandRun;
  const result = writeStates(states, run);
  let outcome: { readonly value: Answer } | { readonly error: unknown } | undefined;
  const ended = result.then(
    (value) => void (outcome = { value }),
    (error: unknown) => void (outcome = { error }),
  );
  return {
    clock,
    abort,
    written,
    ended,
    get outcome() {
      return outcome;
    },
    get maxWriting() {
      return maxWriting;
    },
  };
}

describe('writeStates', () => {
  it('writes the states of a slow generator as they come', async () => {
    const run = stream(async function* (clock) {
      yield 'one';
      await clock.sleep(1_000);
      yield { content: 'two' };
      await clock.sleep(1_000);
      return undefined;
    });
    await run.clock.advance(2_000);
    expect(run.written).toEqual(['one@0', 'two@1000']);
    expect(run.outcome).toEqual({ value: undefined });
  });

  it('writes only the newest state of a fast one, at the interval, and always the last', async () => {
    const run = stream(async function* (clock) {
      for (let n = 1; n <= 10; n += 1) {
        yield String(n);
        await clock.sleep(90);
      }
      return undefined;
    });
    await run.clock.advance(2_000);
    expect(run.written).toEqual(['1@0', '3@250', '6@500', '9@750', '10@1000']);
  });

  it('writes one at a time, the interval counting from the end of the write', async () => {
    const run = stream(
      async function* (clock) {
        for (let n = 1; n <= 5; n += 1) {
          yield String(n);
          await clock.sleep(200);
        }
        return undefined;
      },
      { writeMs: 300 },
    );
    await run.clock.advance(3_000);
    expect(run.written).toEqual(['1@0', '3@550', '5@1100']);
    expect(run.maxWriting).toBe(1);
  });

  it('writes the returned value as the last state, and drops an older one that waits', async () => {
    const run = stream(async function* () {
      yield 'one';
      yield 'two';
      return 'last';
    });
    await run.clock.advance(1_000);
    expect(run.written).toEqual(['one@0']);
    expect(run.outcome).toEqual({ value: 'last' });
  });

  it('keeps the interval before the returned value, which the caller writes', async () => {
    const run = stream(
      async function* () {
        yield 'one';
        return 'last';
      },
      { writeMs: 100 },
    );
    await run.clock.advance(100 + INTERVAL_MS - 1);
    expect(run.outcome).toBeUndefined();
    await run.clock.advance(1);
    expect(run.outcome).toEqual({ value: 'last' });
  });

  it('ends at once after the last write when nothing is returned', async () => {
    const run = stream(
      async function* () {
        yield 'only';
        return null;
      },
      { writeMs: 100 },
    );
    await run.clock.advance(99);
    expect(run.outcome).toBeUndefined();
    await run.clock.advance(1);
    expect(run.outcome).toEqual({ value: null });
  });

  it.each([
    ['null', null],
    ['undefined', undefined],
  ])('delivers the last state of a generator that returns %s', async (_, returned) => {
    const run = stream(function* () {
      yield 'one';
      yield 'two';
      return returned;
    });
    await run.clock.advance(1_000);
    expect(run.written).toEqual(['one@0', 'two@250']);
    expect(run.outcome).toEqual({ value: returned });
  });

  it('shows nothing for an empty state, as that of a text without words yet', async () => {
    const run = stream(async function* (clock) {
      for (const state of ['', { content: ' ' }, 'one', ' \n', { content: '', files: [] }]) {
        yield state;
        await clock.sleep(1_000);
      }
      yield { content: '', files: [Buffer.from('x')] };
      return undefined;
    });
    await run.clock.advance(6_000);
    expect(run.written).toEqual(['one@2000', '@5000']);
    expect(run.outcome).toEqual({ value: undefined });
  });

  it('takes a generator that yields nothing at all', async () => {
    const run = stream(function* () {
      yield* [];
      return 'only';
    });
    await run.clock.advance(0);
    expect(run.written).toEqual([]);
    expect(run.outcome).toEqual({ value: 'only' });
  });

  it.each([null, undefined])('passes over a state that is %s', async (nothing) => {
    const run = stream(async function* (clock) {
      // A JavaScript file can do this, against the types.
      yield nothing as unknown as string;
      yield 'one';
      await clock.sleep(100);
      yield nothing as unknown as string;
      yield 'two';
      yield nothing as unknown as string;
      return undefined;
    });
    await run.clock.advance(1_000);
    expect(run.written).toEqual(['one@0', 'two@250']);
    expect(run.outcome).toEqual({ value: undefined });
  });

  it('takes any iterator, also one without return()', async () => {
    const iterator = (): AnswerStates => ['one', 'two'].values() as unknown as AnswerStates;
    const whole = stream(iterator);
    await whole.clock.advance(1_000);
    expect(whole.written).toEqual(['one@0', 'two@250']);

    const stopped = stream(iterator, { failAt: 1 });
    await stopped.clock.advance(1_000);
    expect(stopped.outcome).toEqual({ error: new Error('not written') });
  });

  it('ends with the error of a generator that throws half-way, and writes nothing after it', async () => {
    const run = stream(async function* (): AsyncGenerator<MessageInput, Answer, undefined> {
      yield 'one';
      yield 'two';
      throw new Error('half-way');
    });
    await run.clock.advance(2_000);
    expect(run.outcome).toEqual({ error: new Error('half-way') });
    expect(run.written).toEqual(['one@0']);
  });

  it('ends with the error of a synchronous generator that throws', async () => {
    const run = stream(function* (): Generator<MessageInput, Answer, undefined> {
      yield 'one';
      throw new Error('half-way');
    });
    await run.clock.advance(2_000);
    expect(run.outcome).toEqual({ error: new Error('half-way') });
    expect(run.written).toEqual(['one@0']);
  });

  it('ends with the error of a write, and calls return() of the generator', async () => {
    const ended: string[] = [];
    const run = stream(
      async function* (clock) {
        try {
          yield 'one';
          await clock.sleep(100);
          yield 'two';
          yield 'three';
          return 'last';
        } finally {
          ended.push('cleaned up');
        }
      },
      { failAt: 1 },
    );
    await run.clock.advance(2_000);
    expect(run.outcome).toEqual({ error: new Error('not written') });
    expect(run.written).toEqual(['one@0']);
    expect(ended).toEqual(['cleaned up']);
  });

  it('waits for Retry-After, then writes the newest state', async () => {
    const run = stream(
      async function* (clock) {
        for (const state of ['one', 'two', 'three', 'four']) {
          yield state;
          await clock.sleep(300);
        }
        return undefined;
      },
      { limitAt: 2 },
    );
    await run.clock.advance(70_000);
    expect(run.written).toEqual(['one@0', 'four@60300']);
    expect(run.outcome).toEqual({ value: undefined });
  });

  it('writes nothing after such a pause when the generator has thrown meanwhile', async () => {
    const run = stream(
      async function* (clock): AsyncGenerator<MessageInput, Answer, undefined> {
        yield 'one';
        await clock.sleep(1_000);
        throw new Error('half-way');
      },
      { limitAt: 1 },
    );
    await run.clock.advance(120_000);
    expect(run.outcome).toEqual({ error: new Error('half-way') });
    expect([run.written, run.clock.pending]).toEqual([[], 0]);
  });

  it('ends with the error of the last write', async () => {
    const run = stream(
      async function* () {
        yield 'one';
        yield 'two';
        return undefined;
      },
      { failAt: 2 },
    );
    await run.clock.advance(2_000);
    expect(run.outcome).toEqual({ error: new Error('not written') });
  });

  it('ends when it is aborted, though the generator never continues', async () => {
    const run = stream(async function* () {
      yield 'one';
      yield 'two';
      await new Promise(() => {});
      return undefined;
    });
    await run.clock.advance(100);
    run.abort.abort(new Error('stopped'));
    await run.clock.advance(2_000);
    expect(run.outcome).toEqual({ error: new Error('stopped') });
    expect(run.written).toEqual(['one@0']);
    expect(run.clock.pending).toBe(0);
  });

  it('does not let the end of a stopped generator hide why it was stopped', async () => {
    const run = stream(function* () {
      try {
        yield 'one';
        yield 'two';
      } finally {
        // oxlint-disable-next-line no-unsafe-finally -- what a careless generator does.
        throw new Error('while cleaning up');
      }
    });
    run.abort.abort(new Error('stopped'));
    await run.clock.advance(1_000);
    expect(run.outcome).toEqual({ error: new Error('stopped') });
  });

  it('always delivers the last state, never two writes within the interval, whatever the pace', async () => {
    // A text without words is not shown.
    const text = fc.string({ minLength: 1 }).filter((each) => each.trim() !== '');
    const step = fc.record({ text, waitMs: fc.nat(400) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.nat(400),
        fc.boolean(),
        async (steps, writeMs, returns) => {
          const run = stream(
            async function* (clock) {
              for (const { text, waitMs } of steps) {
                yield text;
                if (waitMs > 0) await clock.sleep(waitMs);
              }
              return returns ? 'returned' : undefined;
            },
            { writeMs },
          );
          await run.clock.advance(20_000);
          const times = run.written.map((line) => Number(line.slice(line.lastIndexOf('@') + 1)));
          times.slice(1).forEach((time, index) => {
            expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(INTERVAL_MS + writeMs);
          });
          expect(run.outcome).toEqual({ value: returns ? 'returned' : undefined });
          const last = run.written.at(-1)?.replace(/@\d+$/, '');
          expect(returns || last === steps.at(-1)?.text).toBe(true);
          expect(run.maxWriting).toBe(1);
          expect(run.clock.pending).toBe(0);
        },
      ),
      { numRuns: runs(40) },
    );
  });
});
