// One process of the bot of the chaos tests: `node scale-process.mjs ROLE OPTIONS`, with the options as JSON.
import { createRest } from '@virgule/client/rest';
import { systemClock, systemRandom } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { startBot } from '@virgule/runtime';
import { closeOnSignal, startScaled } from '@virgule/runtime/process';
import { loadProject, scan } from '@virgule/runtime/project';
import { redis } from '@virgule/redis';

const [, , role, text] = process.argv;
const { app, url, platform, gateways, workMs, log: isLogged } = JSON.parse(text);
const print = (details, message) =>
  void process.stderr.write(`${process.pid} ${role} ${message} ${JSON.stringify(details)}\n`);
const log = isLogged ? { ...silentLog, warn: print, error: print } : silentLog;

const { project } = await loadProject(scan(['commands/work.js']).manifest, {
  importModule: async () => ({
    default: {
      description: 'Works for a moment',
      run: async ({ clock, random }) => {
        const beganNs = process.hrtime.bigint();
        if (workMs > 0) await clock.sleep(`${Math.ceil(random() * workMs)}ms`);
        return `done by ${process.pid} ${beganNs}`;
      },
    },
  }),
});
const rest = createRest({ ...platform, log });
const options = {
  ...platform,
  rest,
  log,
  clock: systemClock,
  random: systemRandom,
  project,
  sync: role === 'worker' ? 'never' : 'apply-with-deletions',
};
const scaled =
  role !== 'single' &&
  (await redis({ url, name: app, gateways }).open({
    env: {},
    applicationId: app,
    clock: systemClock,
    log,
    wait: true,
    signal: new AbortController().signal,
    hide: () => {},
  }));
const bot = scaled
  ? await startScaled({ ...options, cooldowns: scaled.stores.cooldowns, scaled, role })
  : await startBot(options);
closeOnSignal(() => bot.close());
process.send?.('ready');
