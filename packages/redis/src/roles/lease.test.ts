import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Bus } from '../bus/bus.js';
import { RedisTime } from '../bus/redis-time.js';
import { Lease } from './lease.js';

/** A lease whose bus answers as the test says. */
type Beat = Awaited<ReturnType<Bus['beat']>>;

async function open(first: Partial<Beat> = {}) {
  const clock = createFakeClock();
  const mayTake: boolean[] = [];
  const released: number[] = [];
  const inUse = new Set<number>();
  const warnings: string[] = [];
  let beatMs = 0;
  let next: Partial<Beat> | Error = first;
  let claim = async (): Promise<boolean> => true;
  const bus: Partial<Bus> = {
    async beat(may) {
      mayTake.push(may);
      if (next instanceof Error) throw next;
      if (beatMs > 0) await clock.sleep(beatMs);
      const nowMs = clock.monotonic();
      return { nowMs, share: 16, partitions: [0, 1], isLate: false, ...next };
    },
    release: async (partition) => void released.push(partition),
    restoreGroups: async () => {},
  };
  const lease = new Lease({
    // The part of the bus that a lease uses.
    bus: bus as Bus,
    time: new RedisTime(clock),
    clock,
    log: { ...silentLog, warn: (_fields, message) => void warnings.push(message) },
    isDraining: () => false,
    inUse: () => inUse,
    claim: () => claim(),
    onBack: () => {},
    onRenewed: () => {},
  });
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  return {
    clock,
    lease,
    mayTake,
    released,
    inUse,
    warnings,
    answerAfter: (ms: number) => void (beatMs = ms),
    begin: () => void lease.keep(stopping.signal),
    replyWith: (reply: Partial<Beat> | Error) => void (next = reply),
    claimWith: (reply: () => Promise<boolean>) => void (claim = reply),
  };
}

describe('Lease', () => {
  it('reports once that Redis answers too late for it', async () => {
    const { clock, lease, begin, warnings, answerAfter } = await open();
    answerAfter(1_300);
    begin();
    await clock.advance(5_000);
    expect([lease.isCurrent, warnings]).toEqual([
      false,
      ['this worker reads nothing until Redis answers within 1200 ms'],
    ]);
    answerAfter(100);
    await clock.advance(3_000);
    expect([lease.isCurrent, warnings.length]).toEqual([true, 1]);
  });

  it('has a partition when the entries of its former owner are claimed', async () => {
    const { clock, lease, begin, claimWith } = await open();
    let claimed: (hasClaimed: boolean) => void = () => {};
    claimWith(() => new Promise((resolve) => (claimed = resolve)));
    begin();
    await clock.advance(100);
    expect([lease.isCurrent, lease.partitions]).toEqual([true, []]);
    claimed(true);
    await clock.advance(0);
    expect(lease.partitions).toEqual([0, 1]);
  });

  it('releases a partition above its share when nothing of it is in use', async () => {
    const { clock, lease, released, inUse, begin, replyWith } = await open();
    begin();
    await clock.advance(0);
    inUse.add(1);
    replyWith({ share: 1 });
    await clock.advance(400);
    expect([lease.partitions, released]).toEqual([[0], []]);
    inUse.clear();
    await clock.advance(400);
    expect([lease.partitions, released]).toEqual([[0], [1]]);
  });

  it('takes nothing over for 1.2 s after it was late, and keeps what it has', async () => {
    const { clock, lease, mayTake, begin, replyWith } = await open();
    begin();
    await clock.advance(0);
    replyWith({ isLate: true });
    await clock.advance(400);
    replyWith({ partitions: [0, 1, 2] });
    await clock.advance(800);
    expect([mayTake, lease.partitions]).toEqual([
      [true, true, false, false],
      [0, 1],
    ]);
    await clock.advance(400);
    expect([mayTake.at(-1), lease.partitions]).toEqual([true, [0, 1, 2]]);
  });

  it('is current until it could not be renewed for 1.2 s', async () => {
    const { clock, lease, begin, replyWith } = await open();
    expect(lease.isCurrent).toBe(false);
    begin();
    await clock.advance(0);
    replyWith(new Error('away'));
    await clock.advance(1_199);
    expect(lease.isCurrent).toBe(true);
    await clock.advance(1);
    expect(lease.isCurrent).toBe(false);
    replyWith({});
    await clock.advance(400);
    expect(lease.isCurrent).toBe(true);
  });
});
