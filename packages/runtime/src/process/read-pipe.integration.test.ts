import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEnv, readPipe } from './read-env.js';

/** Creates `.env` as a named pipe. */
function createPipe(): { readonly root: string; readonly pipe: string } {
  const root = mkdtempSync(join(tmpdir(), 'virgule-pipe-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const pipe = join(root, '.env');
  execFileSync('mkfifo', [pipe]);
  return { root, pipe };
}

describe.skipIf(process.platform === 'win32')('readPipe', () => {
  it('fails if no program writes to it', () => {
    const { pipe } = createPipe();
    expect(() => readPipe(pipe, 50)).toThrow('no program wrote to this named pipe for 0.05 s');
  });

  it('reads an .env that a program writes, in parts and larger than the pipe', () => {
    const { root, pipe } = createPipe();
    const script = `
      const { openSync, writeSync } = require('node:fs');
      const pipe = openSync(${JSON.stringify(pipe)}, 'w');
      writeSync(pipe, 'A=1\\n');
      setTimeout(() => {
        const rest = Buffer.from('B=' + 'b'.repeat(200_000) + '\\nC=3\\n');
        for (let at = 0; at < rest.length; ) at += writeSync(pipe, rest, at);
      }, 100);`;
    const writer = spawn(process.execPath, ['-e', script], { stdio: 'inherit' });
    onTestFinished(() => void writer.kill('SIGKILL'));
    expect(readEnv(root, 'production', {})).toEqual({ A: '1', B: 'b'.repeat(200_000), C: '3' });
  });
});
