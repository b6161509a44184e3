import { effect, signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { createFrameQueue } from './frame-queue.js';

function open() {
  const seen = signal<readonly string[]>([]);
  const drawn: string[] = [];
  effect(() => void drawn.push(seen.value.join(' ')));
  const frames: (() => void)[] = [];
  const timers: (() => void)[] = [];
  const clock = { ms: 0 };
  const add = createFrameQueue<string>(
    {
      now: () => clock.ms,
      nextFrame: (callback) => void frames.push(callback),
      setTimer: (callback) => timers.push(callback),
    },
    (event) => {
      seen.value = [...seen.peek(), event];
    },
  );
  /** Draws a frame, whose callbacks are those that were registered before it. */
  const draw = () => {
    for (const callback of frames.splice(0)) callback();
  };
  return { add, drawn, draw, frames, timers, clock };
}

it('applies what came since the last frame in order, as one change', () => {
  const { add, drawn, draw } = open();
  for (const event of ['a', 'b', 'c']) add(event);
  expect(drawn).toEqual(['']);
  draw();
  expect(drawn).toEqual(['', 'a b c']);
  add('d');
  draw();
  expect(drawn).toEqual(['', 'a b c', 'a b c d']);
});

it('applies each event once, although a timer is due as well', () => {
  const { add, drawn, draw, timers } = open();
  add('a');
  draw();
  timers.shift()?.();
  add('b');
  expect(drawn).toEqual(['', 'a']);
});

it('applies events of a hidden page, which draws nothing', () => {
  const { add, drawn, timers } = open();
  add('a');
  timers.shift()?.();
  expect(drawn).toEqual(['', 'a']);
});

it('rests after a slow frame for as long as it took, and applies what came meanwhile', () => {
  const { add, drawn, draw, timers, clock } = open();
  add('a');
  draw();
  clock.ms = 120;
  add('b');
  // The next frame shows how long the one before it took.
  draw();
  expect(drawn).toEqual(['', 'a']);
  add('c');
  clock.ms = 240;
  for (const callback of timers.splice(0)) callback();
  expect(drawn).toEqual(['', 'a', 'a b c']);
});
