import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { InteractionPlatform } from './interaction-platform.js';

const dist = (entry: string): string => new URL(`../../dist/${entry}.js`, import.meta.url).href;

/** A process of its own runs what is built; there is nothing to run before the first build. */
export const isBuilt = existsSync(fileURLToPath(dist('process')));

/** A bot in a process of its own. */
export interface SpawnedBot {
  readonly child: ChildProcess;
  /** Output of the bot so far, of both streams. */
  readonly output: string;
  /** The code it ended with; `null` when it was killed. */
  readonly ended: Promise<number | null>;
}

/**
 * Runs a bot with one command, `/x`, whose file is this text. It is started the way a built bot is,
 * unless `start` says otherwise; in it `manifest`, `modules` and the entries' exports are at hand.
 */
export function spawnBot(
  platform: Pick<InteractionPlatform, 'token' | 'baseUrl' | 'gatewayUrl'>,
  command: string,
  start = 'await runBot({ manifest, modules });',
): SpawnedBot {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-bot-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = 'commands/x.mjs';
  mkdirSync(dirname(join(folder, file)));
  writeFileSync(join(folder, file), command);
  const main = join(folder, 'bot.mjs');
  writeFileSync(
    main,
    `import { closeOnSignal, createLog, runBot } from ${JSON.stringify(dist('process'))};
import { loadProject, scan } from ${JSON.stringify(dist('project'))};
import { startBot } from ${JSON.stringify(dist('index'))};
import * as x from './${file}';
const { manifest } = scan(['${file}']);
const modules = { '${file}': x };
const { BOT_TOKEN: token, BOT_BASE_URL: baseUrl, BOT_GATEWAY_URL: gatewayUrl } = process.env;
${start}
`,
  );
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: {
      BOT_TOKEN: platform.token,
      BOT_BASE_URL: platform.baseUrl,
      BOT_GATEWAY_URL: platform.gatewayUrl,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const keep = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return {
    child,
    get output() {
      return output;
    },
    ended: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    }),
  };
}
