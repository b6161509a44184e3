import { effect, signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { createFrameQueue } from './frame-queue.js';

function open() {
  const seen = signal<readonly string[]>([]);
  const drawn: string[] = [];
  effect(() => void drawn.push(seen.value.join(' ')));
  const frames: (() => void)[] = [];
  const timers: (() => void)[] = [];
  const delays: number[] = [];
  const clock = { ms: 0 };
  const add = createFrameQueue<string>(
    {
      elapsedMs: () => clock.ms,
      nextFrame: (callback) => void frames.push(callback),
      setTimer: (callback, delayMs) => {
        timers.push(callback);
        return delays.push(delayMs);
      },
    },
    (events) => {
      for (const event of events) seen.value = [...seen.peek(), event];
    },
  );
  /** Draws a frame: runs the callbacks that were registered before. */
  const draw = () => {
    for (const callback of frames.splice(0)) callback();
  };
  return { add, drawn, draw, timers, delays, clock };
}

it('applies an event at once, and those before the next frame in order, as one change', () => {
  const { add, drawn, draw } = open();
  add('a');
  expect(drawn).toEqual(['', 'a']);
  for (const event of ['b', 'c', 'd']) add(event);
  expect(drawn).toEqual(['', 'a']);
  draw();
  expect(drawn).toEqual(['', 'a', 'a b c d']);
  // The frame that shows these events.
  draw();
  add('e');
  expect(drawn).toEqual(['', 'a', 'a b c d', 'a b c d e']);
});

it('applies each event once, although a timer is due as well', () => {
  const { add, drawn, draw, timers } = open();
  for (const event of ['a', 'b']) add(event);
  draw();
  expect(drawn).toEqual(['', 'a', 'a b']);
  add('c');
  timers.shift()?.();
  expect(drawn).toEqual(['', 'a', 'a b']);
});

it('applies events of a hidden page, which draws nothing', () => {
  const { add, drawn, timers } = open();
  for (const event of ['a', 'b']) add(event);
  timers.shift()?.();
  expect(drawn).toEqual(['', 'a', 'a b']);
});

it('rests after a slow frame of many events, and applies what came meanwhile', () => {
  const { add, drawn, draw, timers, delays, clock } = open();
  const events = Array.from({ length: 100 }, (_, index) => `${index}`);
  for (const event of events) add(event);
  draw();
  expect(drawn).toHaveLength(3);
  clock.ms = 120;
  add('next');
  // The next frame shows the duration of the frame before.
  draw();
  expect(drawn).toHaveLength(3);
  expect(delays.at(-1)).toBe(99);
  timers.at(-1)?.();
  expect(drawn.at(-1)).toBe([...events, 'next'].join(' '));
});

it('does not rest after a slow frame of a single event', () => {
  const { add, drawn, draw, clock } = open();
  add('a');
  clock.ms = 120;
  draw();
  clock.ms = 121;
  add('b');
  expect(drawn).toEqual(['', 'a', 'a b']);
});
