import type { Sample } from '../rounds/scenario.js';
import { runScale } from './run-scale.js';

/** Columns of the table of bots of several processes. */
export const SCALE_METRICS = ['toHandlerMs', 'p50Ms', 'p99Ms', 'perSecond', 'rssMiB'] as const;

/** Measures a bot of one process, or of a gateway and this many workers: at 200 commands a second, then all at once. */
export async function measureScale(workers: number, commands: number): Promise<Sample> {
  const bot = {
    redisServer: process.env['REDIS_SERVER_PATH'] ?? '',
    commands,
    workers,
    gateways: 1,
    workMs: 0,
    seed: 1,
    // All of them are to be answered, however slow the machine is.
    answerWindowMs: 60_000,
  };
  const steady = await runScale({ ...bot, perSecond: 200 });
  const atOnce = await runScale({ ...bot, perSecond: 20_000 });
  const { toHandlerP50Ms, p50Ms, p99Ms, memoryMb } = steady;
  const wrongOf = ({ unreceived, lost, twice }: typeof steady) => unreceived + lost + twice;
  return {
    values: {
      toHandlerMs: toHandlerP50Ms,
      p50Ms,
      p99Ms,
      perSecond: atOnce.perSecond,
      rssMiB: memoryMb[workers === 0 ? 'single' : 'worker'],
    },
    wrong: wrongOf(steady) + wrongOf(atOnce),
  };
}
