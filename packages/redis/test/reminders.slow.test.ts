import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@virgule/core/clock';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildProject, REPOSITORY } from './build-project.js';
import { startRedis } from './redis-server.js';
import { until } from './scaled-bot.js';
import { readScalingGuide } from './scaling-guide.js';

const REMINDERS = 40;
const { compose } = await readScalingGuide();

/** Builds the template `reminders` with `scale` in its configuration, and without a change of any other file. */
const buildReminders = (): Promise<string> =>
  buildProject(
    {
      'virgule.config.ts': `import { redis } from '@virgule/redis';
     import { defineConfig } from 'virgule';
     export default defineConfig({ scale: redis({ gateways: 'live' }) });`,
    },
    async (root) => {
      const template = join(REPOSITORY, 'templates/reminders');
      for (const name of ['package.json', 'tsconfig.json', 'commands', 'lib', 'tasks'])
        await cp(join(template, name), join(root, name), { recursive: true });
    },
  );

// `npm run soak -- --scale` runs this file.
describe('the template reminders on the processes of the compose file', () => {
  it(
    'loses no command and no reminder while each of them is killed',
    { timeout: 180_000 },
    async () => {
      const root = await buildReminders();
      const redis = await startRedis(compose.redis);
      const platform = await startSimulator({
        pageDir: null,
        // However slow the machine is, the time to answer is not what is tested.
        profile: { sameTokenSockets: 'broadcast', answerWindowMs: 60_000 },
      });
      const processes: (ChildProcess | undefined)[] = [];
      const start = (index: number): void => {
        const { role, args = [] } = compose.processes[index] ?? {};
        const child = spawn(process.execPath, [...args, '--sync'], {
          cwd: root,
          env: {
            REDIS_URL: redis.url,
            BOT_ROLE: role,
            BOT_TOKEN: platform.token,
            BOT_BASE_URL: platform.baseUrl,
            BOT_GATEWAY_URL: platform.gatewayUrl,
            LOG_LEVEL: 'error',
          },
          stdio: ['ignore', 'inherit', 'inherit'],
        });
        processes[index] = child;
      };
      onTestFinished(async () => {
        for (const child of processes) child?.kill('SIGKILL');
        await platform.close();
        await redis.close();
      });
      for (const index of compose.processes.keys()) start(index);
      await until(
        () => platform.snapshot().bot.identifies >= 2,
        'both gateways are connected',
        30_000,
      );

      let sent = 0;
      const remind = (count: number): void => {
        for (let n = 0; n < count; n += 1) {
          platform.run({ rawInput: `/remind ${1 + (sent % 15)}s reminder ${sent}` });
          sent += 1;
        }
      };
      const contents = (): readonly string[] => platform.messages().map(({ content }) => content);
      const reminders = (): readonly string[] => contents().filter((text) => text.startsWith('⏰'));
      const answers = (): readonly string[] =>
        contents().filter((text) => text.startsWith('I will'));

      remind(REMINDERS / 4);
      for (const [index, { role }] of compose.processes.entries()) {
        remind(REMINDERS / 8);
        processes[index]?.kill('SIGKILL');
        if (processes[index]) await once(processes[index], 'exit');
        await systemClock.sleep(1_000);
        const { identifies } = platform.snapshot().bot;
        start(index);
        // Without a gateway, commands come that no one receives: the platform does not repeat them.
        const isBack = () => role !== 'gateway' || platform.snapshot().bot.identifies > identifies;
        await until(isBack, 'the gateway is connected again', 30_000);
        await systemClock.sleep(1_000);
      }
      await redis.kill();
      await systemClock.sleep(500);
      await redis.start();
      remind(REMINDERS - sent);

      await until(() => answers().length >= REMINDERS, 'every command is answered', 60_000);
      await until(() => new Set(reminders()).size === REMINDERS, 'every reminder is sent', 90_000);
      const twice = reminders().length - new Set(reminders()).size;
      process.stdout.write(
        `${REMINDERS} reminders, ${compose.processes.length + 1} processes killed once each: 0 lost, ${twice} sent twice\n`,
      );
      expect(answers()).toHaveLength(REMINDERS);
      // A run whose process is killed after the message was sent, and before that is stored, begins again.
      expect(twice).toBeLessThanOrEqual(compose.processes.length);
    },
  );
});
