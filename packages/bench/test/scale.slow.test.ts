import { describe, expect, inject, it } from 'vitest';
import { formatScale, runScale, type ScaleOptions } from '../src/scale/run-scale.js';

const HEAD =
  '| sent | unreceived | answered | lost | twice | refused | kills worker/redis/gateway | p50 ms | p99 ms | max ms |';

const KILLS = { worker: [900, 900], redis: [4_000, 5_000], gateway: [4_000, 7_000] } as const;

// `npm run soak -- --scale` runs this file.
describe('4,000 commands at 200 a second, while processes are killed', () => {
  it.each<[string, Pick<ScaleOptions, 'gateways' | 'kill'>]>([
    ['two gateways that are live', { gateways: 2, kill: KILLS }],
    ['one gateway that is never killed', { gateways: 1, kill: { ...KILLS, gateway: undefined } }],
  ])('are each answered once, with %s', async (name, options) => {
    const figures = await runScale({
      redisServer: inject('redisServer'),
      commands: 4_000,
      perSecond: 200,
      workers: 4,
      seed: 20,
      ...options,
    });
    process.stdout.write(`${name}, seed 20\n${HEAD}\n${formatScale(figures)}\n`);
    expect(figures).toMatchObject({ lost: 0, twice: 0 });
    expect(figures.answered + figures.unreceived).toBe(4_000);
  });
});

describe('2,000 commands at 200 a second, while workers are replaced', () => {
  it('are each run: none is refused because its worker restarts', async () => {
    const figures = await runScale({
      redisServer: inject('redisServer'),
      commands: 2_000,
      perSecond: 200,
      workers: 3,
      gateways: 1,
      workMs: 300,
      kill: { worker: [900, 1_500] },
      signal: 'SIGTERM',
      seed: 3,
    });
    process.stdout.write(`workers that get SIGTERM, seed 3\n${HEAD}\n${formatScale(figures)}\n`);
    expect(figures).toMatchObject({ answered: 2_000, lost: 0, twice: 0, refused: 0 });
  });
});
