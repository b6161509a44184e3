import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createBufferedOutput } from './buffered-output.js';

/** @param flags - how the file is opened; one that can only be read stands for what cannot be written. */
function open(flags: 'w' | 'r' = 'w') {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-output-'));
  const file = join(folder, 'log');
  writeFileSync(file, '');
  const fd = openSync(file, flags);
  const clock = createFakeClock();
  const listeners = new Set(process.listeners('exit'));
  const output = createBufferedOutput(fd, clock);
  const onExit = process.listeners('exit').filter((listener) => !listeners.has(listener));
  onTestFinished(() => {
    for (const listener of onExit) process.removeListener('exit', listener);
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  const text = (): string => readFileSync(file, 'utf8');
  return {
    clock,
    output,
    text,
    written: (expected: string) => vi.waitFor(() => expect(text()).toBe(expected)),
    /** As at the end of the process. */
    exit: () => onExit.forEach((listener) => listener(0)),
  };
}

describe('a buffered output', () => {
  it('writes what there is a tenth of a second after the first line, together', async () => {
    const { output, clock, text, written } = open();
    output.write('one\n');
    await clock.advance(99);
    output.write('two\n');
    expect(text()).toBe('');
    await clock.advance(1);
    await written('one\ntwo\n');
    expect(clock.pending).toBe(0);
  });

  it('writes 4 KiB at once, and goes on with what comes meanwhile, in order', async () => {
    const { output, clock, written } = open();
    const lines = Array.from({ length: 2_000 }, (_value, n) => `line ${n} ${'é'.repeat(20)}\n`);
    for (const line of lines) output.write(line);
    await vi.waitFor(async () => {
      await clock.advance(100);
      expect(clock.pending).toBe(0);
    });
    await written(lines.join(''));
  });

  it('writes the rest when the process ends', () => {
    const { output, text, exit } = open();
    output.write('one\n');
    output.write('two\n');
    exit();
    expect(text()).toBe('one\ntwo\n');
  });

  it('has nothing to write at the end when all is written', async () => {
    const { output, clock, written, text, exit } = open();
    output.write('one\n');
    await clock.advance(100);
    await written('one\n');
    exit();
    expect(text()).toBe('one\n');
  });

  it('drops lines once they cannot be written, and throws at nobody', async () => {
    const { output, clock, exit, text } = open('r');
    output.write('one\n');
    await clock.advance(100);
    for (let n = 0; n < 1_000; n += 1) output.write('more\n');
    await clock.advance(1_000);
    expect(() => exit()).not.toThrow();
    expect(text()).toBe('');
  });
});
