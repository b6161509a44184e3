import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';

const SOURCE = fileURLToPath(new URL('../src/storage/sqlite-storage.ts', import.meta.url));

/** Makes the calls that it reads, one a line, on its own clock. */
const SCRIPT = `
import { createInterface } from 'node:readline';
import { createFakeClock } from '@virgule/core/clock';
import { sqlite } from ${JSON.stringify(SOURCE)};
const clock = createFakeClock();
const note = (details, message) => process.stdout.write(JSON.stringify({ log: message }) + '\\n');
const log = { error: note, warn: note, info: note, debug: note };
const driver = await sqlite().open({ clock, log, root: process.argv[2] });
process.stdout.write('{}\\n');
for await (const line of createInterface(process.stdin)) {
  const [method, ...args] = JSON.parse(line);
  const call = method === 'pass' ? clock.advance(...args) : driver[method](...args);
  const answer = await call.then((value) => ({ value }), (error) => ({ error: String(error) }));
  process.stdout.write(JSON.stringify(answer) + '\\n');
}
process.exit();
`;

/** A process that has a storage file open. */
export interface StorageProcess {
  /** Messages that it logged. */
  readonly logged: readonly string[];
  call(method: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Lets so much time pass that it checks its file. */
  pass(): Promise<unknown>;
  end(): Promise<void>;
}

/** Returns what starts processes that use the storage file of a folder. */
export async function storageProcesses(root: string) {
  const folder = fileURLToPath(new URL('../node_modules', import.meta.url));
  const script = join(folder, `.storage-process-${process.pid}.mjs`);
  onTestFinished(() => rmSync(script, { force: true }));
  await build({
    stdin: { contents: SCRIPT, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['virgule-source'],
    external: ['libsql'],
    logLevel: 'error',
  });
  return async (): Promise<StorageProcess> => {
    const child = spawn(process.execPath, [script, root], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const logged: string[] = [];
    const closed = once(child, 'close').then(() => ({ value: ['{"error":"the process ended"}'] }));
    const reader: AsyncIterator<unknown> = on(createInterface(child.stdout), 'line');
    async function answer(): Promise<unknown> {
      for (;;) {
        const { value: lines } = await Promise.race([reader.next(), closed]);
        const { log, value, error } = JSON.parse(String(lines));
        if (error !== undefined) throw new Error(error);
        if (log === undefined) return value;
        logged.push(log);
      }
    }
    await answer();
    const call: StorageProcess['call'] = (...given) => {
      child.stdin.write(`${JSON.stringify(given)}\n`);
      return answer();
    };
    return {
      logged,
      call,
      pass: () => call('pass', 1_000),
      async end() {
        child.stdin.end();
        await once(child, 'close');
      },
    };
  };
}
