import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@virgule/core/clock';
import { onTestFinished } from 'vitest';
import { CHANNEL } from './fake-platform.js';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** A bot that plays a packet again and again, and then does what the argument says. */
const BOT = `
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRest } from '@virgule/client/rest';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { voice as voiceSetting } from '@virgule/voice';

const [baseUrl, channelId, transport] = process.argv.slice(1);
const platform = { baseUrl, token: 'token' };
const rest = createRest(platform);
const { voice } = voiceSetting({ transport }).open({
  rest,
  log: silentLog,
  clock: systemClock,
  random: Math.random,
  platform: { ...platform, botUserId: 'bot' },
  root: mkdtempSync(join(tmpdir(), 'virgule-voice-')),
});
async function* packets(count) {
  for (let index = 0; index < count; index += 1) yield Uint8Array.of(0xfc, 1, 2, 3, index);
}
let blockedMs = 0;
function block(ms) {
  const startMs = performance.now();
  while (performance.now() - startMs < ms);
  blockedMs = performance.now() - startMs;
}
const findHost = () => Number(execFileSync('pgrep', ['-P', String(process.pid)], { encoding: 'utf8' }).split('\\n')[0]);
process.once('message', async (action) => {
  if (action === 'hang') {
    const failed = voice.stream(channelId, packets(10)).catch(({ code }) => code);
    // Its process has been started, and has loaded nothing yet.
    setTimeout(() => {
      process.kill(findHost(), 'SIGSTOP');
      process.send(findHost());
    }, 10);
    const code = await failed;
    const { reason } = await (await voice.stream(channelId, packets(10))).finished;
    await voice.close();
    await rest.close();
    process.send({ code, reason });
    return process.disconnect();
  }
  const controller = new AbortController();
  const stream = await voice.stream(channelId, packets({ end: 20, 'hung player': 100, 'block 1': 150, 'block 7': 450 }[action] ?? 3_000), controller);
  const hostPid = findHost();
  process.send(hostPid);
  const actions = {
    end: () => {},
    abort: () => controller.abort(),
    close: () => voice.close(),
    throw: () => setImmediate(() => { throw new Error('on purpose'); }),
    exit: () => process.exit(0),
    'native abort': () => process.abort(),
    'block 1': () => block(1_000),
    'block 7': () => block(7_000),
    'hung host': () => {
      process.kill(hostPid, 'SIGSTOP');
      return voice.close();
    },
    'hung player': () => process.kill(hostPid, 'SIGSTOP'),
    wait: () => {},
  };
  actions[action]();
  const finished = await stream.finished;
  await voice.close();
  await rest.close();
  process.send({ ...finished, ...stream.stats, blockedMs });
  process.disconnect();
});
process.send('ready');
`;

/** Starts the bot, and resolves when it streams. */
export async function startBot(baseUrl: string, action: string, transport: string) {
  const args = ['--input-type=module', '-e', BOT, baseUrl, CHANNEL, transport];
  const child = spawn(process.execPath, args, {
    cwd: PACKAGE,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  child.send(action);
  const [hostPid] = (await once(child, 'message')) as [number];
  return { child, hostPid, atMs: systemClock.monotonic() };
}

/** Returns whether there is a process with this id. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Prints a row of the table "how it ended, seconds to DELETE". */
export function note(how: string, ms: number): void {
  process.stdout.write(`${how}: ${(ms / 1_000).toFixed(2)} s\n`);
}
