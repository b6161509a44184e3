// One process of a bot of several: `node scale-process.js ROLE OPTIONS`, with the options as JSON.
import { createRest } from '@virgule/client/rest';
import { systemClock, systemRandom } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import { DEFAULT_PROFILE } from '@virgule/core/protocol';
import { redis } from '@virgule/redis';
import { startBot, type CommandContext } from '@virgule/runtime';
import { closeOnSignal, startScaled } from '@virgule/runtime/process';
import { loadProject, scan } from '@virgule/runtime/project';
import type { ScaleProcessOptions } from '../scale/run-scale.js';

const [, , role, text = ''] = process.argv;
// As the parent wrote it.
const { app, url, platform, gateways, workMs, isLogged } = JSON.parse(text) as ScaleProcessOptions;
const print = (details: object, message: string): void =>
  void process.stderr.write(`${process.pid} ${role} ${message} ${JSON.stringify(details)}\n`);
const log: Log = isLogged ? { ...silentLog, warn: print, error: print } : silentLog;

const { project } = await loadProject(scan(['commands/work.js']).manifest, {
  importModule: async () => ({
    default: {
      description: 'Works for a moment',
      async run({ clock, random }: CommandContext) {
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
  sync: role === 'worker' ? ('never' as const) : ('apply-with-deletions' as const),
};

async function start() {
  if (role !== 'gateway' && role !== 'worker') return startBot(options);
  const scaled = await redis({ url, name: app, gateways }).open({
    env: {},
    applicationId: app,
    maxAgeMs: DEFAULT_PROFILE.deferredWindowMs,
    clock: systemClock,
    log,
    wait: true,
    signal: new AbortController().signal,
    hide: () => {},
  });
  return startScaled({ ...options, scaled, role });
}

const bot = await start();
closeOnSignal(() => bot.close());
// Not left behind by a bench or soak that was killed.
process.once('disconnect', () => process.exit());
process.send?.('ready');
