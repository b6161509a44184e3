import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startSimulator } from '@virgule/simulator';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSavedChat } from '../src/state/saved-chat.js';
import { startDev } from './running-dev.js';
import { answering } from './test-project.js';
import { until } from './until.js';

const KILLS = 50;
/** Maximum age of lost changes, in milliseconds. */
const MAX_LOST_MS = 200;

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'virgule-kill-'));
  return () => rmSync(root, { recursive: true, force: true });
});

/** Runs the writer until it has sent `count` messages, kills it, and returns the time of each by its number. */
async function killAfter(count: number, writer: string): Promise<ReadonlyMap<number, number>> {
  const child = spawn(process.execPath, [writer, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  const sent = new Map<number, number>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [number = '', atMs = ''] = line.split(' ');
    sent.set(Number(number), Number(atMs));
    if (sent.size >= count) child.kill('SIGKILL');
  });
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
  return sent;
}

async function keptNumbers(): Promise<number[]> {
  await using simulator = await startSimulator({ port: null, saved: readSavedChat(root) });
  return simulator
    .messages()
    .map(({ content }) => Number(/^n=(\d+) /.exec(content)?.[1] ?? Number.NaN))
    .filter((number) => !Number.isNaN(number));
}

// A busy machine takes seconds to start a process.
describe('the chat of a process that is killed', { timeout: 600_000 }, () => {
  it(`keeps all but the last ${MAX_LOST_MS} ms, ${KILLS} times in a row`, async () => {
    const writer = join(root, 'chat-writer.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('chat-writer.ts', import.meta.url))],
      outfile: writer,
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['virgule-source'],
      banner: {
        js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`,
      },
      logLevel: 'error',
    });
    for (let round = 0; round < KILLS; round += 1) {
      // Another moment each time: before the first write, while the file is truncated, after it.
      const sent = await killAfter(1 + ((round * 7) % 43), writer);
      const kept = await keptNumbers();
      expect(kept).toEqual(kept.map((_, index) => index));
      const killedMs = Math.max(...sent.values());
      const lost = [...sent].filter(([number]) => number >= kept.length);
      for (const [number, atMs] of lost)
        expect(killedMs - atMs, `round ${round}, message ${number}`).toBeLessThan(MAX_LOST_MS);
    }
  });

  it('is there at the next start of `virgule dev`', async () => {
    await using dev = await startDev({ 'commands/hello.ts': answering('hello') });
    await dev.say('/hello');
    await until(() => expect(readSavedChat(dev.project.root)).toContain('"hello"'));
    dev.process.kill('SIGKILL');
    await once(dev.process, 'exit');
    await using again = await startDev({}, { project: dev.project });
    expect(again.ready['restored']).toBeGreaterThan(250);
    const snapshot = await again.get('/_sim/world');
    expect(snapshot.interactions).toMatchObject([{ rawInput: '/hello', state: 'answered' }]);
  });
});
