import { describe, expect, it } from 'vitest';
import { formatChaos, runChaos, type ChaosOptions } from './chaos.js';

const HEAD =
  '| sent | unreceived | answered | lost | twice | refused | kills worker/redis/gateway | p50 ms | p99 ms | max ms |';

const KILLS = { worker: [900, 900], redis: [4_000, 5_000], gateway: [4_000, 7_000] } as const;

// `npm run soak -- --scale` runs this file.
describe('4,000 commands at 200 a second, while processes are killed', () => {
  it.each<[string, Pick<ChaosOptions, 'gateways' | 'kill'>]>([
    ['two gateways that are live', { gateways: 2, kill: KILLS }],
    ['one gateway that is never killed', { gateways: 1, kill: { ...KILLS, gateway: undefined } }],
  ])('are each answered once, with %s', async (name, options) => {
    const figures = await runChaos({
      commands: 4_000,
      perSecond: 200,
      workers: 4,
      seed: 20,
      ...options,
    });
    process.stdout.write(`${name}, seed 20\n${HEAD}\n${formatChaos(figures)}\n`);
    expect(figures).toMatchObject({ lost: 0, twice: 0 });
    expect(figures.answered + figures.unreceived).toBe(4_000);
  });
});

describe('without faults', () => {
  it.each([
    ['one process, 200 a second', { workers: 0, perSecond: 200 }],
    ['1 gateway and 2 workers, 200 a second', { workers: 2, perSecond: 200 }],
    ['one process, at once', { workers: 0, perSecond: 20_000 }],
    ['1 gateway and 1 worker, at once', { workers: 1, perSecond: 20_000 }],
    ['1 gateway and 2 workers, at once', { workers: 2, perSecond: 20_000 }],
    ['1 gateway and 4 workers, at once', { workers: 4, perSecond: 20_000 }],
  ])('are measured: %s', async (name, options) => {
    const figures = await runChaos({
      commands: 3_000,
      gateways: 1,
      workMs: 0,
      // How many are answered in time is a question of the machine.
      answerWindowMs: 60_000,
      seed: 1,
      ...options,
    });
    const { p50Ms, p99Ms, maxMs, handlerP50Ms, memoryMb, perSecond } = figures;
    const times = `p50 ${p50Ms} ms (${handlerP50Ms} ms to the handler), p99 ${p99Ms} ms, max ${maxMs} ms`;
    const memory = Object.entries(memoryMb).map(([role, mb]) => `${role} ${mb} MB`);
    process.stdout.write(
      `${name}: ${times}, ${perSecond} answers a second, ${memory.join(', ')}\n`,
    );
    expect(figures).toMatchObject({ answered: 3_000, lost: 0, twice: 0 });
  });
});
