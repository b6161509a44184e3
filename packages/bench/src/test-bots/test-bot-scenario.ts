import { fileURLToPath } from 'node:url';
import { createTestBot } from 'virgule/testing';
import { cpuMicros } from '../rounds/process-usage.js';
import type { Contender, Sample, ScenarioPlan } from '../rounds/scenario.js';
import { median } from '../rounds/statistics.js';

const METRICS = ['eachMs', 'startCpuMs'] as const;
/** Time that a test of one command may add to a run, in milliseconds. */
const GOAL_MS = 50;
/** After these, V8 has compiled most of the code: a file of a few tests ends before. */
const WARM_UP = 10;
const BOTS = 40;

/** Measures a test bot of a template that answers one command, after others in the same process. */
async function measureTestBots(template: string): Promise<Sample> {
  const root = fileURLToPath(new URL(`../../../../templates/${template}`, import.meta.url));
  const times: { readonly ms: number; readonly cpuMs: number }[] = [];
  let wrong = 0;
  for (let index = 0; index < WARM_UP + BOTS; index += 1) {
    const [startMs, startMicros] = [performance.now(), cpuMicros()];
    const bot = await createTestBot({ root });
    const { content = '' } = await bot.run('/hello');
    await bot.close();
    if (!content.startsWith('Hello')) wrong += 1;
    times.push({ ms: performance.now() - startMs, cpuMs: (cpuMicros() - startMicros) / 1_000 });
  }
  const warm = times.slice(WARM_UP);
  return {
    values: {
      eachMs: median(warm.map(({ ms }) => ms)),
      startCpuMs: median(warm.map(({ cpuMs }) => cpuMs)),
    },
    wrong,
  };
}

const contender = (template: string): Contender => ({
  name: `the template ${template}`,
  targets: { eachMs: 1, startCpuMs: 1 },
  run: () => measureTestBots(template),
});

export const testBots: ScenarioPlan = {
  id: 'test-bots',
  title: 'Bots in tests',
  prepare: () => ({
    about: `createTestBot(), one command and close(), the median of ${BOTS} bots in a warm process.`,
    metrics: METRICS,
    ratios: METRICS,
    contenders: [
      {
        name: 'the goal',
        run: async () => ({ values: { eachMs: GOAL_MS, startCpuMs: GOAL_MS } }),
      },
      contender('basic'),
      contender('full'),
    ],
  }),
};
