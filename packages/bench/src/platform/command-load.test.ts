import { describe, expect, it, vi } from 'vitest';
import { botInterfaceDialect } from './bot-interface-dialect.js';
import { CommandLoad } from './command-load.js';
import { rollAnswer } from './sample-data.js';

const FIRST = 0x1_0000;

/** Number of frames of a write, counted by their ids. */
const commandsIn = (frames: Buffer): number =>
  frames.toString('latin1').split('"interactionId"').length - 1;

function ports() {
  const writes: number[] = [];
  return {
    writes,
    sent: () => writes.reduce((sum, count) => sum + count, 0),
    ports: {
      dialect: botInterfaceDialect,
      firstIndex: FIRST,
      send: (frames: Buffer) => void writes.push(commandsIn(frames)),
    },
  };
}

describe('CommandLoad', () => {
  it('keeps the given number of commands unanswered, and no more', async () => {
    const { ports: given, sent } = ports();
    const load = new CommandLoad({ count: 20, outstanding: 4, delayMs: 0 }, given);
    for (let index = 0; index < 20; index += 1) {
      await vi.waitFor(() => expect(sent()).toBe(Math.min(20, index + 4)), { interval: 1 });
      expect(load.answer(FIRST + index, rollAnswer(FIRST + index))).toBe(rollAnswer(FIRST + index));
      load.finished();
    }
    expect(await load.done).toMatchObject({ wrong: 0, doubled: 0 });
    expect(sent()).toBe(20);
  });

  it('sends what falls due in one turn of the event loop in one write', async () => {
    const { ports: given, writes } = ports();
    const load = new CommandLoad({ count: 12, outstanding: 4, delayMs: 0 }, given);
    await vi.waitFor(() => expect(writes).toEqual([4]));
    for (let index = 0; index < 3; index += 1) {
      load.answer(FIRST + index, rollAnswer(FIRST + index));
      load.finished();
    }
    await vi.waitFor(() => expect(writes).toEqual([4, 3]));
  });

  it('asks all at once when there are fewer than may be unanswered', async () => {
    const { ports: given, writes } = ports();
    const load = new CommandLoad({ count: 3, outstanding: 64, delayMs: 0 }, given);
    await vi.waitFor(() => expect(writes).toEqual([3]));
    for (const place of [2, 0, 1]) {
      expect(load.answer(FIRST + place, rollAnswer(FIRST + place))).toBe(rollAnswer(FIRST + place));
      load.finished();
    }
    const { p50Ms, p99Ms, perSecond } = await load.done;
    expect(p50Ms).toBeGreaterThanOrEqual(0);
    expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
    expect(perSecond).toBeGreaterThan(0);
  });

  it('counts wrong and second answers, and ignores those of other runs', async () => {
    const { ports: given, sent } = ports();
    const load = new CommandLoad({ count: 2, outstanding: 2, delayMs: 0 }, given);
    await vi.waitFor(() => expect(sent()).toBe(2));
    for (const index of [FIRST - 1, FIRST + 2, -1, Number.NaN])
      expect(load.answer(index, 'x')).toBeUndefined();
    expect(load.answer(FIRST, 'nonsense')).toBe(rollAnswer(FIRST));
    expect(load.answer(FIRST, rollAnswer(FIRST))).toBeUndefined();
    expect(load.answer(FIRST + 1, undefined)).toBe(rollAnswer(FIRST + 1));
    load.finished();
    load.finished();
    expect(await load.done).toMatchObject({ wrong: 2, doubled: 1 });
  });
});
