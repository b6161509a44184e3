import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import { clientErrors } from '@virgule/client/rest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateLimited, refused } from '../../../test/client-failures.js';
import { faultOf, markdownTexts } from '../../../test/markdown-texts.js';
import { pursuing } from '../../../test/pursuing.js';
import type { TextSource } from './text-source.js';
import { TextAppender } from './append-text.js';
import { runs } from '../../../../core/test/fixtures/property-runs.js';

const INTERVAL_MS = 250;

interface OpenOptions {
  /** Duration of a write, in milliseconds. */
  readonly writeMs?: number;
  /** Returns the error of the n-th write, counted from 1; `undefined` if the write succeeds. */
  readonly fail?: (n: number) => Error | undefined;
  /** Text that the answer has already. */
  readonly answer?: string;
  readonly ready?: () => Promise<void> | null;
}

/** An answer and its follow-ups as users see them, and when each was written. */
function open({
  writeMs = 0,
  fail = () => undefined,
  answer,
  ready = () => null,
}: OpenOptions = {}) {
  const clock = createFakeClock();
  const startMs = clock.monotonic();
  const abort = new AbortController();
  const messages: string[] = answer === undefined ? [] : [answer];
  const writes: { readonly message: number; readonly content: string; readonly atMs: number }[] =
    [];
  let tries = 0;
  let writing = 0;
  let maxWriting = 0;

  async function write(message: number, content: string): Promise<number> {
    tries += 1;
    writing += 1;
    maxWriting = Math.max(maxWriting, writing);
    try {
      const error = fail(tries);
      if (error) throw error;
      writes.push({ message, content, atMs: clock.monotonic() - startMs });
      if (writeMs > 0) await clock.sleep(writeMs);
      messages[message] = content;
      return message;
    } finally {
      writing -= 1;
    }
  }

  let pages = 0;
  const appender = new TextAppender<number>({
    answer: { write: (content) => write(0, content), content: () => messages[0] },
    next: () => {
      pages += 1;
      const page = pages;
      return { write: (content) => write(page, content) };
    },
    pursue: pursuing(clock),
    clock,
    intervalMs: INTERVAL_MS,
    signal: abort.signal,
    ready,
  });
  return {
    clock,
    abort,
    messages,
    writes,
    append: (source: TextSource) => outcomeOf(appender.append(source)),
    get maxWriting() {
      return maxWriting;
    },
    get tries() {
      return tries;
    },
  };
}

/** State of a promise, readable without awaiting the promise. */
function outcomeOf<T>(promise: Promise<T>) {
  const outcome: { value?: T; error?: unknown } = {};
  promise.then(
    (value) => (outcome.value = value),
    (error: unknown) => (outcome.error = error),
  );
  return outcome;
}

/** Pieces that come at a pace. */
async function* every(clock: FakeClock, ms: number, pieces: readonly string[]) {
  for (const piece of pieces) {
    yield piece;
    await clock.sleep(ms);
  }
}

const lines = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${n} a line of text, as a model writes them\n`);

describe('append, with a source', () => {
  it('slower than the interval: writes each piece as it comes', async () => {
    const { clock, append, writes } = open();
    const outcome = append(every(clock, 1_000, ['one', ' two', ' three']));
    await clock.advance(3_000);
    expect(writes.map(({ content, atMs }) => `${content}@${atMs}`)).toEqual([
      'one@0',
      'one two@1000',
      'one two three@2000',
    ]);
    expect(outcome).toEqual({ value: [0] });
  });

  it('faster than the interval: writes what there is by then, and always the last state', async () => {
    const { clock, append, writes, messages } = open();
    const outcome = append(
      every(
        clock,
        10,
        Array.from({ length: 100 }, (_, n) => `${n} `),
      ),
    );
    await clock.advance(2_000);
    const times = writes.map(({ atMs }) => atMs);
    expect(times).toEqual([0, 250, 500, 750, 1_000]);
    expect(messages[0]?.endsWith('98 99')).toBe(true);
    expect(outcome.value).toEqual([0]);
  });

  it('of Markdown: closes each state, and writes the text itself in the end', async () => {
    const { clock, append, writes } = open();
    append(every(clock, 1_000, ['a **bo', 'ld', '** [li', 'nk](https://a.b)', ' *']));
    await clock.advance(10_000);
    expect(writes.map(({ content }) => content)).toEqual([
      'a **bo**',
      'a **bold**',
      'a **bold** [link](https://a.b)',
      'a **bold** [link](https://a.b) *',
    ]);
  });

  it('of Markdown that is stopped: keeps a closed state', async () => {
    const { clock, append, messages, abort } = open();
    append(every(clock, 1_000, ['a **bo', 'ld', ' text**']));
    await clock.advance(1_500);
    abort.abort(new Error('stopped'));
    await clock.advance(10_000);
    expect(messages).toEqual(['a **bold**']);
  });

  it('of Markdown that fills a message: never writes more than 2,000 characters', async () => {
    const { clock, append, writes } = open();
    const bold = `**${'x'.repeat(1_998)}`;
    append(every(clock, 1_000, [bold.slice(0, 1_000), bold.slice(1_000, 1_999), 'x']));
    await clock.advance(10_000);
    expect(writes.map(({ content }) => content)).toEqual([`${bold.slice(0, 1_000)}**`, bold]);
  });

  it('of Markdown that fills a message while a write waits: writes no empty message', async () => {
    const { clock, append, writes } = open();
    const start = `${'x'.repeat(2_000)} ${'y'.repeat(90)}`;
    const wait = Array.from({ length: 20 }, () => '');
    append(every(clock, 50, [start, ` **${'z'.repeat(1_906)}`, ...wait]));
    await clock.advance(10_000);
    expect(writes.map(({ content }) => content.length)).toEqual([2_000, 1_999]);
  });

  it('that is all there at once: writes once', async () => {
    const { clock, append, writes } = open();
    append(['a', 'b', 'c']);
    append('a text');
    await clock.advance(1_000);
    // The first piece is not kept waiting for the others.
    expect(writes.map(({ content }) => content)).toEqual(['a', 'abc', 'abca text']);
  });

  it.each<[string, () => TextSource]>([
    [
      'an async generator',
      async function* () {
        yield 'Hello';
      },
    ],
    [
      'a generator',
      function* () {
        yield 'Hello';
      },
    ],
    ['an array', () => ['Hel', 'lo']],
    ['a text', () => 'Hello'],
    ['a ReadableStream', () => new Blob(['Hello']).stream().pipeThrough(new TextDecoderStream())],
  ])('of any kind: %s', async (_, source) => {
    const { clock, append, messages } = open();
    const outcome = append(source());
    // The stream of a Blob is read in turns of the event loop.
    for (let turns = 0; turns < 50 && outcome.value === undefined; turns += 1) {
      await clock.advance(INTERVAL_MS);
    }
    expect(messages).toEqual(['Hello']);
    expect(outcome).toEqual({ value: [0] });
  });

  it('without any text: writes nothing', async () => {
    for (const source of [[], [''], [' ', '\n']]) {
      const { clock, append, writes } = open();
      const outcome = append(source);
      await clock.advance(1_000);
      expect([writes, outcome]).toEqual([[], { value: [] }]);
    }
  });

  it('with pieces that are nothing: passes over them', async () => {
    const { clock, append, messages } = open();
    // The streams of some models yield these, against the types.
    append([undefined, 'a', null, 'b'] as unknown as string[]);
    await clock.advance(1_000);
    expect(messages).toEqual(['ab']);
  });

  it.each([
    ['a piece that is no text', ['a', 7], 'number'],
    ['nothing', undefined, 'undefined'],
  ])('that is not one: %s is an error', async (_, source, saw) => {
    const { clock, append } = open();
    const outcome = append(source as unknown as string[]);
    await clock.advance(1_000);
    expect(outcome.error).toMatchObject({ code: 'E_ANSWER_INVALID', details: { saw } });
  });

  it('that fails half-way: leaves what came before, closed, and fails as it did', async () => {
    const { clock, append, messages } = open();
    const outcome = append(
      (async function* () {
        yield 'one';
        yield '\n```\ntwo';
        throw new Error('the model is gone');
      })(),
    );
    await clock.advance(1_000);
    expect(messages).toEqual(['one\n```\ntwo\n```']);
    expect(outcome.error).toEqual(new Error('the model is gone'));
  });
});

describe('append', () => {
  it('continues in follow-ups past 2,000 characters, each complete', async () => {
    const { clock, append, messages } = open();
    const pieces = lines(200);
    const outcome = append(every(clock, 40, pieces));
    await clock.advance(20_000);
    expect(messages.length).toBeGreaterThan(4);
    expect(messages.every((message) => message.length <= 2_000)).toBe(true);
    expect(messages.join('\n')).toBe(pieces.join('').trimEnd());
    expect(outcome.value).toEqual(messages.map((_, index) => index));
  });

  it('finishes a message before it begins the next, also when all comes at once', async () => {
    const { clock, append, messages, writes } = open();
    append([lines(200).join('')]);
    await clock.advance(10_000);
    expect(writes.map(({ message }) => message)).toEqual(messages.map((_, index) => index));
    expect(messages.join('\n')).toBe(lines(200).join('').trimEnd());
  });

  it('sends what is a little too long in two when nothing comes any more', async () => {
    const { clock, append, messages } = open();
    const text = 'word '.repeat(405).trimEnd();
    append(every(clock, 5_000, [text]));
    await clock.advance(4_000);
    expect(messages).toHaveLength(1);
    await clock.advance(4_000);
    expect(messages.join(' ')).toBe(text);
    expect(messages).toHaveLength(2);
  });

  it('opens a code block again in the next message', async () => {
    const { clock, append, messages } = open();
    append(every(clock, 20, ['Look:\n', '```', 'ts\n', ...lines(120), '```\n', 'Done.']));
    await clock.advance(20_000);
    expect(messages.length).toBeGreaterThan(2);
    for (const message of messages.slice(1)) expect(message.startsWith('```ts\n')).toBe(true);
    for (const message of messages.slice(0, -1)) expect(message.endsWith('\n```')).toBe(true);
    expect(messages.at(-1)?.endsWith('```\nDone.')).toBe(true);
  });

  it('shows no half of a character that comes in two pieces', async () => {
    const { clock, append, writes } = open();
    const [first, second] = ['🎉'.slice(0, 1), '🎉'.slice(1)];
    append(every(clock, 1_000, ['party ', first, second]));
    await clock.advance(4_000);
    expect(writes.map(({ content }) => content)).toEqual(['party', 'party 🎉']);
  });

  it('writes one at a time, the interval counting from the end of the write', async () => {
    const test = open({ writeMs: 400 });
    test.append(every(test.clock, 50, lines(20)));
    await test.clock.advance(5_000);
    const times = test.writes.map(({ atMs }) => atMs);
    expect(times).toEqual([0, 650, 1_300]);
    expect(test.maxWriting).toBe(1);
  });

  it('adds to what the answer says already, also what others wrote meanwhile', async () => {
    const test = open({ answer: 'Thinking about it: ' });
    test.append(['yes']);
    await test.clock.advance(1_000);
    test.append([', and ', 'no']);
    await test.clock.advance(1_000);
    expect(test.messages).toEqual(['Thinking about it: yes, and no']);
    test.messages[0] = 'On second thought: ';
    test.append(['never']);
    await test.clock.advance(1_000);
    expect(test.messages).toEqual(['On second thought: never']);
  });

  it('keeps white space between two sources', async () => {
    const { clock, append, messages } = open();
    append(['Hello ']);
    append(['world']);
    await clock.advance(1_000);
    expect(messages).toEqual(['Hello world']);
  });

  it('reads several sources one after the other, the interval between them too', async () => {
    const { clock, append, writes } = open();
    const first = append(every(clock, 100, ['a', 'b']));
    const second = append(['c']);
    await clock.advance(2_000);
    expect(writes.map(({ content, atMs }) => `${content}@${atMs}`)).toEqual([
      'a@0',
      'ab@250',
      'abc@500',
    ]);
    expect([first, second]).toEqual([{ value: [0] }, { value: [0] }]);
  });

  it('continues in the last message that was written', async () => {
    const { clock, append, messages } = open();
    append([lines(60).join('')]);
    const outcome = append(['the end']);
    await clock.advance(3_000);
    expect(messages).toHaveLength(2);
    expect(messages[1]?.endsWith('\nthe end')).toBe(true);
    expect(outcome.value).toEqual([1]);
  });

  it('waits until states that were yielded before are written', async () => {
    let write = (): void => {};
    const written = new Promise<void>((resolve) => (write = resolve));
    const { clock, append, writes } = open({ ready: () => written });
    append(['text']);
    await clock.advance(1_000);
    expect(writes).toEqual([]);
    write();
    await clock.advance(0);
    expect(writes).toHaveLength(1);
  });
});

describe('append, when it is canceled', () => {
  it('stops at once, writes nothing more, and calls return() of the source', async () => {
    const ended: string[] = [];
    const { clock, abort, append, writes } = open();
    const source = (async function* () {
      try {
        for (;;) {
          yield 'more ';
          await clock.sleep(100);
        }
      } finally {
        ended.push('the source');
      }
    })();
    const outcome = append(source);
    await clock.advance(300);
    abort.abort(new Error('timed out'));
    await clock.advance(0);
    expect(outcome.error).toEqual(new Error('timed out'));
    const count = writes.length;
    await clock.advance(5_000);
    expect([count, writes.length, ended]).toEqual([2, 2, ['the source']]);
    expect(clock.pending).toBe(0);
  });

  it('does not wait for a source that never continues', async () => {
    const canceled: unknown[] = [];
    const { clock, abort, append, messages } = open();
    const steps: (object | Promise<object>)[] = [
      { done: false, value: 'one' },
      new Promise(() => {}),
    ];
    const pieces = { next: () => steps.shift(), return: (value: unknown) => canceled.push(value) };
    const outcome = append({ [Symbol.asyncIterator]: () => pieces } as never);
    await clock.advance(100);
    abort.abort(new Error('stopped'));
    await clock.advance(0);
    expect(outcome.error).toEqual(new Error('stopped'));
    expect([messages, canceled]).toEqual([['one'], [undefined]]);
  });

  it('reads nothing when it was canceled before', async () => {
    const { clock, abort, append, writes } = open();
    abort.abort(new Error('stopped'));
    const outcome = append(['text']);
    await clock.advance(1_000);
    expect([writes, outcome.error]).toEqual([[], new Error('stopped')]);
  });
});

describe('append, when a write fails', () => {
  it('stops reading and fails as the write did', async () => {
    const { clock, append, writes } = open({
      fail: (n) => (n === 2 ? refused(403) : undefined),
    });
    const outcome = append(every(clock, 100, lines(50)));
    await clock.advance(10_000);
    expect(outcome.error).toMatchObject({ code: 'E_API_REFUSED' });
    expect(writes).toHaveLength(1);
  });

  it('with 429: waits for Retry-After, then writes the newest state', async () => {
    const limited = clientErrors.E_RATE_LIMITED({
      endpoint: 'interactions.editResponse',
      route: 'PATCH',
      attempts: 1,
      elapsedMs: 1,
      maybeSent: false,
      retryAfterMs: 5_000,
    });
    const { clock, append, writes, messages } = open({
      fail: (n) => (n === 2 ? limited : undefined),
    });
    const outcome = append(every(clock, 100, ['0 ', '1 ', '2 ', '3 ', '4 ', '5 ']));
    await clock.advance(10_000);
    expect(writes.map(({ content, atMs }) => `${content}@${atMs}`)).toEqual([
      '0@0',
      '0 1 2 3 4 5@5250',
    ]);
    expect(outcome).toEqual({ value: [0] });
    expect(messages).toEqual(['0 1 2 3 4 5']);
  });

  it('with 429 again and again: is canceled like any other', async () => {
    const test = open({ fail: () => rateLimited() });
    const outcome = test.append(['text']);
    await test.clock.advance(150_000);
    expect([test.tries, outcome]).toEqual([3, {}]);
    test.abort.abort(new Error('timed out'));
    await test.clock.advance(0);
    expect(outcome.error).toEqual(new Error('timed out'));
    expect(test.clock.pending).toBe(0);
  });
});

describe('append, for any source', () => {
  it('of Markdown, character by character: writes closed states, and the text itself in the end', async () => {
    await fc.assert(
      fc.asyncProperty(markdownTexts, async (text) => {
        const { clock, append, writes, messages } = open();
        append(every(clock, INTERVAL_MS, [...text]));
        await clock.advance(INTERVAL_MS * (text.length + 1));
        expect(messages).toEqual([text.trimEnd()]);
        for (const { content } of writes.slice(0, -1))
          expect(faultOf(content, text)).toBeUndefined();
      }),
      { numRuns: runs(1_000) },
    );
  }, 60_000);

  it('delivers all of the text, no message too long, no two writes within the interval', async () => {
    const piece = fc.record({
      text: fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/[`~]/g, '')),
        fc.constantFrom('\n', ' ', 'x'.repeat(900), 'some words of text '.repeat(20)),
      ),
      waitMs: fc.nat(400),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 25 }),
        fc.nat(400),
        fc.array(fc.boolean(), { maxLength: 10 }),
        async (pieces, writeMs, limits) => {
          const test = open({ writeMs, fail: (n) => (limits[n] ? rateLimited() : undefined) });
          const outcome = test.append(
            (async function* () {
              for (const { text, waitMs } of pieces) {
                yield text;
                if (waitMs > 0) await test.clock.sleep(waitMs);
              }
            })(),
          );
          await test.clock.advance(1_000_000);
          const text = pieces.map((each) => each.text).join('');
          const bare = (value: string): string => value.replace(/\s+/g, '');
          expect(bare(test.messages.join(''))).toBe(bare(text));
          expect(test.messages.every(({ length }) => length > 0 && length <= 2_000)).toBe(true);
          expect(outcome.value).toEqual(test.messages.map((_, index) => index));
          test.writes.slice(1).forEach(({ atMs }, index) => {
            expect(atMs - (test.writes[index]?.atMs ?? 0)).toBeGreaterThanOrEqual(
              INTERVAL_MS + writeMs,
            );
          });
          expect(test.maxWriting).toBeLessThanOrEqual(1);
          expect(test.clock.pending).toBe(0);
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
