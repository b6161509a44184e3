import { describe, expect, inject, it } from 'vitest';
import { runScale } from '../src/scale/run-scale.js';

describe('400 commands at 200 a second', () => {
  it('are each answered once, while a worker and Redis are killed', async () => {
    const figures = await runScale({
      redisServer: inject('redisServer'),
      commands: 400,
      perSecond: 200,
      workers: 2,
      gateways: 1,
      kill: { worker: [400, 500], redis: [900, 1_000] },
      seed: 20,
      // All of them are to be answered, however slow the machine is.
      answerWindowMs: 60_000,
    });
    expect(figures).toMatchObject({ unreceived: 0, answered: 400, lost: 0, twice: 0 });
    expect(figures.kills.worker).toBeGreaterThan(1);
    expect(figures.kills.redis).toBeGreaterThan(0);
  });
});
