import { describe, expect, it } from 'vitest';
import { createBucket, enter, leave, type Bucket } from './bucket.js';
import { SharedReadings } from './shared-readings.js';

const LIMIT = 20;

function open() {
  const readings = new SharedReadings();
  let nowMs = 0;
  return {
    readings,
    /** One request there and back, and what remained. */
    read(bucket: Bucket, remaining: number, limit = LIMIT): readonly Bucket[] {
      const stake = enter(bucket, (nowMs += 10));
      leave(stake);
      return readings.note(stake, limit, remaining, (nowMs += 10));
    },
    now: () => nowMs,
  };
}

const lane = (major: string): Bucket => createBucket('bucket', 'messages.send', major);

/** Reads `a9 b8` in turn, and gives how many readings it took to find out who shares a limit. */
function play(text: string) {
  const { read } = open();
  const lanes = new Map<string, Bucket>();
  const found: string[] = [];
  for (const [index, word] of text.split(' ').entries()) {
    const name = word[0] ?? '';
    const bucket = lanes.get(name) ?? lane(name);
    lanes.set(name, bucket);
    const majors = read(bucket, Number(word.slice(1))).map(({ major }) => major);
    if (majors.length > 0) found.push(`${index + 1}: ${majors.toSorted().join(' ')}`);
  }
  return found[0];
}

describe('SharedReadings', () => {
  it.each([
    ['two in turn', 'a9 b8 a7 b6 a5 b4', '6: a b'],
    ['two in another order', 'a9 a8 b7 b6 a5 b4 b3 a2 b1', '9: a b'],
    ['three', 'a9 b8 c7 a6 b5 c4 a3 b2 c1', '8: a b'],
    ['two beside one of its own', 'a9 c9 b8 c8 a7 b6 c7 a5 b4 c6', '9: a b'],
    ['two beside one that fits in by chance', 'a9 b8 c7 a7 b6 c6 a5 b4', '8: a b'],
    ['two that begin beside others with as much', 'c9 d9 a9 b8 c8 a7 d8 b6 a5 b4', '10: a b'],
  ])('finds %s', (_name, text, expected) => {
    expect(play(text)).toBe(expected);
  });

  it.each([
    ['after a single agreement each', 'a9 b8 a7 b6'],
    ['when each falls by what it sends itself', 'a9 b9 a8 b8 a7 b7 a6 b6 a5 b5'],
    ['when one has what the other has not', 'a9 a8 a7 b6 b5 b4 b3'],
    ['when they are one behind the other', 'a9 b8 a8 b7 a7 b6 a6 b5 a5 b4'],
    ['when something else was counted in between', 'a9 b8 a7 b5 a4 b3'],
    ['when a window ended in between', 'a3 b2 a1 b0 a9 b8 a7'],
  ])('finds nobody %s', (_name, text) => {
    expect(play(text)).toBeUndefined();
  });

  it('takes readings of other limits for nothing', () => {
    const { read } = open();
    const [a, b] = [lane('a'), lane('b')];
    for (const [bucket, remaining, limit] of [
      [a, 9, 20],
      [b, 8, 10],
      [a, 7, 20],
      [b, 6, 10],
      [a, 5, 20],
      [b, 4, 10],
    ] as const) {
      expect(read(bucket, remaining, limit)).toEqual([]);
    }
  });

  it('does not count requests that were on their way together', () => {
    const { readings } = open();
    const [a, b] = [lane('a'), lane('b')];
    for (let remaining = 9; remaining > 2; remaining -= 2) {
      const stakes = [enter(a, 100 - remaining), enter(b, 100 - remaining)] as const;
      for (const stake of stakes) leave(stake);
      expect(readings.note(stakes[0], LIMIT, remaining, 101 - remaining)).toEqual([]);
      expect(readings.note(stakes[1], LIMIT, remaining - 1, 102 - remaining)).toEqual([]);
    }
  });

  it('does not count the reading of one that has another on its way', () => {
    const { read } = open();
    const [a, b] = [lane('a'), lane('b')];
    enter(a, 0);
    for (const [bucket, remaining] of [
      [a, 9],
      [b, 8],
      [a, 7],
      [b, 6],
      [a, 5],
      [b, 4],
    ] as const) {
      expect(read(bucket, remaining)).toEqual([]);
    }
  });

  it('begins anew after an interruption', () => {
    const { readings, read } = open();
    const [a, b] = [lane('a'), lane('b')];
    for (const [index, bucket] of [a, b, a, b, a].entries()) read(bucket, 15 - index);
    readings.interrupt(a);
    expect(read(b, 10)).toEqual([]);
    for (const [index, bucket] of [a, b, a, b].entries()) {
      expect(read(bucket, 9 - index)).toEqual([]);
    }
    expect(read(a, 5)).toHaveLength(2);
  });

  it('still finds two after thousands stated what remains', () => {
    const { read } = open();
    for (let index = 0; index < 20_000; index += 1) read(lane(`${index}`), index % LIMIT);
    const [a, b] = [lane('a'), lane('b')];
    const found = [a, b, a, b, a, b].map((bucket, index) => read(bucket, 15 - index).length);
    expect(found).toEqual([0, 0, 0, 0, 0, 2]);
  });
});
