import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

// A process of its own runs what is built; there is nothing to run before the first build.
const main = new URL('../dist/process.js', import.meta.url);
export const isBuilt = existsSync(main);

/** A source map in which each line is the same line of a command. */
const MAP = {
  version: 3,
  sources: ['../commands/spin.ts'],
  names: [],
  mappings: `AAAA${';AACA'.repeat(20)}`,
};

/**
 * Starts a bot with a watchdog. Its services run `code`, as the third line of the command `/spin`; then they wait for the
 * platform. A `launcher` is a command that starts the process. Resolves `ended` with how the process ended, and its output.
 */
export function startWatched(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  code: string,
  watchdog: string,
  flags: readonly string[] = [],
  launcher: readonly string[] = [],
) {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-watchdog-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'bot.mjs');
  const route = { name: 'spin', file: 'commands/spin.ts', middleware: [], errorHandlers: [] };
  const routes = { commands: [route], events: [], tasks: [] };
  const manifest = { ...routes, services: 'services.ts', config: 'virgule.config.ts' };
  writeFileSync(
    file,
    `async function spin() {
  console.log('spinning');
  ${code}
}
import { runBot } from ${JSON.stringify(main.href)};
const modules = {
  'commands/spin.ts': { default: spin, description: 'Spins' },
  'services.ts': { default: async () => { await spin(); console.log('over'); return {}; } },
  'virgule.config.ts': { default: { watchdog: '${watchdog}' } },
};
await runBot({ manifest: ${JSON.stringify(manifest)}, modules });
`,
  );
  writeFileSync(`${file}.map`, JSON.stringify(MAP));
  const env = {
    BOT_TOKEN: 'made-up',
    BOT_BASE_URL: 'http://127.0.0.1:9',
    BOT_GATEWAY_URL: 'ws://127.0.0.1:9',
  };
  const [command, ...args] = [...launcher, process.execPath, ...flags, file];
  const child = spawn(command, args, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  const said = async (text: string): Promise<void> => {
    while (!stdout.includes(text)) await once(child.stdout, 'data');
  };
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const ended = once(child, 'close').then(([, signal]) => ({
    signal: signal as NodeJS.Signals | null,
    stdout,
  }));
  return { child, said, ended };
}

/** Returns the last line of a log. */
export const lastLine = (stdout: string): unknown =>
  JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
