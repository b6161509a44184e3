import { effect, signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { createFrameQueue } from './frame-queue.js';

function open() {
  const seen = signal<readonly string[]>([]);
  const drawn: string[] = [];
  effect(() => void drawn.push(seen.value.join(' ')));
  const frames: (() => void)[] = [];
  const timers: (() => void)[] = [];
  const add = createFrameQueue<string>(
    {
      nextFrame: (callback) => void frames.push(callback),
      setTimer: (callback) => timers.push(callback),
    },
    (event) => {
      seen.value = [...seen.peek(), event];
    },
  );
  return { add, drawn, frames, timers };
}

it('applies what came since the last frame in order, as one change', () => {
  const { add, drawn, frames } = open();
  for (const event of ['a', 'b', 'c']) add(event);
  expect(drawn).toEqual(['']);
  frames.shift()?.();
  expect(drawn).toEqual(['', 'a b c']);
  add('d');
  frames.shift()?.();
  expect(drawn).toEqual(['', 'a b c', 'a b c d']);
});

it('applies each event once, although a timer is due as well', () => {
  const { add, drawn, frames, timers } = open();
  add('a');
  frames.shift()?.();
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
