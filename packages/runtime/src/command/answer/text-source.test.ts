import { describe, expect, it } from 'vitest';
import { settle } from '../../../test/test-bot.js';
import { endQuietly, readText, type TextSource } from './text-source.js';

async function all(source: TextSource): Promise<string[]> {
  const pieces = readText(source);
  const found: string[] = [];
  for (let step = await pieces.next(); !step.done; step = await pieces.next())
    found.push(step.value);
  return found;
}

const streamOf = <Item>(items: readonly Item[]): ReadableStream<Item> =>
  new ReadableStream({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });

describe('readText', () => {
  it('reads every kind of source alike', async () => {
    const sources: TextSource[] = [
      ['a', 'b'],
      new Set(['a', 'b']),
      streamOf(['a', 'b']),
      (function* () {
        yield* ['a', 'b'];
      })(),
      (async function* () {
        yield* ['a', 'b'];
      })(),
    ];
    for (const source of sources) expect(await all(source)).toEqual(['a', 'b']);
  });

  it('reads a string as one chunk', async () => {
    expect(await all('a whole text 🎉')).toEqual(['a whole text 🎉']);
  });

  it('fails with what it saw if the parts of an answer are those of another package', async () => {
    const answerOf = (...parts: readonly object[]): TextSource =>
      ({ stream: streamOf(parts) }) as never;
    const chunk = { choices: [{ delta: { content: 'a' } }], id: 'x' };
    const seen = 'object with choices, id';
    await expect(all(answerOf(chunk, chunk))).rejects.toMatchObject({ details: { saw: seen } });
    const delta = { type: 'text-delta', delta: 'a' };
    await expect(all(answerOf({ type: 'start' }, delta))).rejects.toThrow('type, delta');
    expect(await all(answerOf({ type: 'tool-call' }, { type: 'finish' }))).toEqual([]);
    expect(await all(answerOf())).toEqual([]);
  });

  it('returns a source that is no longer read', async () => {
    const reported: string[] = [];
    const stream = new ReadableStream<string>({ cancel: () => void reported.push('stream') });
    const generator = (async function* () {
      try {
        yield 'a';
      } finally {
        reported.push('generator');
      }
    })();
    const pieces = [generator, stream].map(readText);
    await pieces[0]?.next();
    for (const each of pieces) endQuietly(each);
    await settle();
    expect(reported.sort()).toEqual(['generator', 'stream']);
  });

  it('ignores a source without return(), and one whose return() fails', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    const failing = {
      next: () => ({ done: true, value: '' }),
      return: () => Promise.reject(new Error('no')),
    };
    for (const source of [
      { [Symbol.iterator]: () => ({ next: () => ({ done: true as const, value: '' }) }) },
      { [Symbol.asyncIterator]: () => failing },
    ]) {
      endQuietly(readText(source as unknown as TextSource));
    }
    await settle();
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });
});

it.each([
  ['an object', { text: 'x' }, 'object'],
  ['a promise', Promise.resolve('x'), 'Promise'],
  ['a number', 5, 'number'],
  ['nothing', undefined, 'undefined'],
])('refuses %s', (_what, source, saw) => {
  expect(() => readText(source as never)).toThrow(`append() received a chunk of type ${saw};`);
});
