import * as fs from 'node:fs';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createBufferedOutput } from './buffered-output.js';

function open(files?: Pick<typeof fs, 'write' | 'writeSync'>) {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-output-'));
  const file = join(folder, 'log');
  writeFileSync(file, '');
  const fd = openSync(file, 'w');
  const clock = createFakeClock();
  const listeners = new Set(process.listeners('exit'));
  const output = createBufferedOutput(fd, clock, files);
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

/**
 * A system whose next writes do what is listed, and those after them what is asked: fail with a code, write so
 * many bytes of it, or never say what became of it.
 */
function faulty(...steps: (string | number)[]): Pick<typeof fs, 'write' | 'writeSync'> {
  const failure = (code: string) => Object.assign(new Error(code), { code });
  const writeSync = (fd: number, bytes: Buffer): number => {
    const step = steps.shift();
    if (typeof step === 'string') throw failure(step);
    return fs.writeSync(fd, bytes.subarray(0, step));
  };
  const write = (fd: number, bytes: Buffer, done: (error: Error | null, n: number) => void) => {
    if (steps[0] === 'never') {
      steps.shift();
      return;
    }
    try {
      const written = writeSync(fd, bytes);
      setImmediate(() => done(null, written));
    } catch (error) {
      setImmediate(() => done(error as Error, 0));
    }
  };
  // The output uses only one of the many overloads of these two functions.
  return { write, writeSync } as unknown as Pick<typeof fs, 'write' | 'writeSync'>;
}

const notice = (count: string, time: number) =>
  `${JSON.stringify({ level: 40, time, msg: `${count} dropped: they could not be written` })}\n`;

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

  it('writes 32 KiB at once, and not less', async () => {
    const { output, clock, text, written } = open();
    const half = `${'x'.repeat(16_383)}\n`;
    output.write(half);
    expect([text(), clock.pending]).toEqual(['', 1]);
    output.write(half);
    await written(half + half);
  });

  it('continues with what comes while it writes, in order', async () => {
    const { output, clock, written } = open();
    const lines = Array.from({ length: 16_000 }, (_value, n) => `line ${n} ${'é'.repeat(20)}\n`);
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

  it('tries again what a full pipe did not take', async () => {
    const { output, clock, text } = open(faulty('EAGAIN', 'EAGAIN', 3));
    output.write('one\n');
    await clock.advance(100);
    output.write('two\n');
    expect(text()).toBe('');
    await clock.advance(100);
    expect(text()).toBe('');
    await vi.waitFor(async () => {
      await clock.advance(100);
      expect(text()).toBe('one\ntwo\n');
    });
  });

  it('writes at the end what a full pipe has not taken yet', async () => {
    const { output, clock, text, exit } = open(faulty('EAGAIN', 'EAGAIN', 2, 'EAGAIN'));
    output.write('one\n');
    await clock.advance(100);
    output.write('two\n');
    exit();
    expect(text()).toBe('one\ntwo\n');
  });

  it('gives up at the end a pipe that takes nothing', () => {
    const { output, text, exit } = open(faulty(...Array<string>(60).fill('EAGAIN')));
    output.write('one\n');
    exit();
    expect(text()).toBe('');
  });

  it.each(['EPIPE', 'EBADF', 'ENOSPC'])(
    'gives up at the end on what can never be written: %s',
    (code) => {
      const { output, text, exit } = open(faulty(code));
      output.write('one\n');
      exit();
      expect(text()).toBe('');
    },
  );

  it('does not write twice at the end what a thread is writing', async () => {
    const { output, clock, text, exit } = open(faulty('never'));
    output.write('one\n');
    await clock.advance(100);
    output.write('two\n');
    exit();
    expect(text()).toBe('two\n');
  });

  it('writes later what a full disk did not take, from within a line on', async () => {
    const { output, clock, text, written } = open(faulty(6, 'ENOSPC', 'ENOSPC'));
    output.write('one\n');
    output.write('two\n');
    await clock.advance(100);
    await written('one\ntw');
    output.write('three\n');
    await clock.advance(100);
    expect(text()).toBe('one\ntw');
    await vi.waitFor(async () => {
      await clock.advance(100);
      expect(text()).toBe('one\ntwo\nthree\n');
    });
    expect(clock.pending).toBe(0);
  });

  it('keeps 8 MiB of what cannot be written, and counts the rest', async () => {
    const { output, clock, text, exit } = open(faulty('EAGAIN'));
    output.write('first\n');
    await clock.advance(100);
    const line = `${'x'.repeat(1024 * 1024 - 1)}\n`;
    for (let n = 0; n < 11; n += 1) output.write(line);
    exit();
    const lines = text().split('\n');
    expect(lines.slice(0, -2).map((kept) => kept.length)).toEqual([
      'first'.length,
      ...Array<number>(9).fill(line.length - 1),
    ]);
    expect(`${lines.at(-2)}\n`).toBe(notice('2 log lines were', clock.now()));
  });

  it.each(['EPIPE', 'EBADF'])('drops all silently once the reader is gone: %s', async (code) => {
    const { output, clock, exit, text } = open(faulty(code));
    output.write('one\n');
    await clock.advance(100);
    for (let n = 0; n < 1_000; n += 1) output.write('more\n');
    expect(clock.pending).toBe(0);
    exit();
    expect(text()).toBe('');
  });
});
