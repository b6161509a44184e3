import { spawn, type ChildProcess } from 'node:child_process';
import { systemClock } from '@virgule/core/clock';
import { startSimulator } from '@virgule/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { buildProject } from './build-project.js';
import { startRedis } from './redis-server.js';
import { until } from './scaled-bot.js';

const WORKERS = 4;
const COMMANDS = 100;
/** Commands that never yield. */
const POISON = 5;
const RESTART_MS = 1_000;
/** No process is killed for this time: longer than the watchdog and a restart take. */
const QUIET_MS = 15_000;

const FILES = {
  'package.json': '{ "type": "module" }',
  'virgule.config.ts': `import { redis } from '@virgule/redis';
    import { defineConfig } from 'virgule';
    export default defineConfig({ scale: redis(), watchdog: '5s' });`,
  'commands/work.ts': `import { defineCommand } from 'virgule';
    export default defineCommand({
      description: 'Works for a moment',
      async run({ clock }) {
        await clock.sleep('300ms');
        return 'done';
      },
    });`,
  'commands/spin.ts': `export const description = 'Never yields';
    export default function spin() {
      for (;;);
    }`,
};

// `npm run soak -- --scale` runs this file.
it(
  'a fleet answers every other command while some of its commands never yield, and ends those with a text',
  { timeout: 240_000 },
  async () => {
    const root = await buildProject(FILES);
    const redis = await startRedis();
    const platform = await startSimulator({ pageDir: null });
    const processes: ChildProcess[] = [];
    let isOver = false;
    let killed = 0;
    let output = '';
    const start = (index: number, role: string): void => {
      const child = spawn(process.execPath, ['dist/bot.mjs', '--sync'], {
        cwd: root,
        env: {
          REDIS_URL: redis.url,
          BOT_ROLE: role,
          BOT_TOKEN: platform.token,
          BOT_BASE_URL: platform.baseUrl,
          BOT_GATEWAY_URL: platform.gatewayUrl,
          LOG_LEVEL: 'warn',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.once('exit', (_, signal) => {
        if (isOver) return;
        if (signal === 'SIGKILL') killed += 1;
        void systemClock.sleep(RESTART_MS).then(() => isOver || start(index, role));
      });
      processes[index] = child;
    };
    onTestFinished(async () => {
      isOver = true;
      for (const child of processes) child.kill('SIGKILL');
      await platform.close();
      await redis.close();
    });
    for (let n = 0; n < WORKERS; n += 1) start(n, 'worker');
    start(WORKERS, 'gateway');
    await until(() => platform.snapshot().bot.identifies > 0, 'the gateway is connected', 30_000);

    const sent: string[] = [];
    const poison: string[] = [];
    const startMs = systemClock.monotonic();
    for (let n = 0; n < COMMANDS; n += 1) {
      if (n % (COMMANDS / POISON) === 5) poison.push(platform.run({ rawInput: '/spin' }).id);
      sent.push(platform.run({ rawInput: '/work' }).id);
      await systemClock.sleep(100);
    }
    const answers = (): string[] =>
      sent.filter((id) =>
        platform
          .messages()
          .some(({ interactionId, content }) => interactionId === id && content === 'done'),
      );
    await until(
      () => answers().length === COMMANDS,
      'every other command is answered',
      180_000,
    ).catch(() => {});
    const count = (pattern: RegExp): number => output.match(pattern)?.length ?? 0;
    const setAside = (): number => count(/it is set aside/g);
    const seconds = Math.round((systemClock.monotonic() - startMs) / 1_000);
    // None of the others is delivered again: an answer stays as it is.
    for (let before = -1; before < killed;) {
      before = killed;
      await systemClock.sleep(QUIET_MS);
    }
    const named = count(/most likely by \/spin \(commands\/spin\.ts:3\)/g);
    process.stdout.write(
      `${answers().length} of ${COMMANDS} answered after ${seconds} s; ${killed} processes killed, ${named} named; ${setAside()} set aside\n`,
    );
    expect(answers()).toHaveLength(COMMANDS);
    expect(poison.map((id) => platform.interaction(id)?.state)).toEqual(
      Array(POISON).fill('answered'),
    );
    const unnamed = output
      .split('\n')
      .filter((line) => line.includes('ended by the watchdog') && !line.includes('by /spin'));
    expect({ unnamed, named }).toEqual({ unnamed: [], named: killed });
  },
);
