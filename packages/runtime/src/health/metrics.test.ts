import { describe, expect, it } from 'vitest';
import { createFakeClock } from '@virgule/core/clock';
import { createFakeGateway, READY } from '../../test/fake-gateway.js';
import { createFakeRest } from '../../test/fake-rest.js';
import * as prom from 'prom-client';
import { createBotMetrics } from './metrics.js';
import { createVitals } from './vitals.js';

function start() {
  const vitals = createVitals(createFakeClock());
  const metrics = createBotMetrics(vitals, prom, async () => 2);
  const { rest } = createFakeRest();
  const limits = {
    origins: [{ origin: 'https://a', isCircuitOpen: true }],
    inFlight: { interaction: 2, general: 1, upload: 0 },
    queued: { interaction: 0, awaited: 4, background: 5 },
    rateLimited: 7,
  };
  return {
    vitals,
    ...metrics,
    connect: (figures?: () => Promise<Readonly<Record<string, number>>>) =>
      vitals.observer.connecting?.({
        // The rest of what the client learned is not read.
        rest: { ...rest, limits: () => limits as never },
        gateway: createFakeGateway(),
        ...(figures && { metrics: figures }),
      }),
    /** Returns the lines with this start, without the metrics of Node.js itself. */
    async lines(start: string) {
      const text = await metrics.registry.metrics();
      return text.split('\n').filter((line) => line.startsWith(start));
    },
  };
}

const RECORD = {
  kind: 'command',
  name: 'roll',
  id: '1',
  caller: 'slash',
  startMs: 0,
  outcome: 'answered',
  result: 'ok',
  error: undefined,
} as const;

describe('createBotMetrics', () => {
  it('has the figures of a bot of several processes, while they can be read', async () => {
    const { connect, lines } = start();
    let isAway = false;
    connect(async () => {
      if (isAway) throw new Error('away');
      return { commands_waiting: 3, dead: 0 };
    });
    expect(await lines('virgule_scale')).toEqual([
      'virgule_scale{figure="commands_waiting"} 3',
      'virgule_scale{figure="dead"} 0',
    ]);
    isAway = true;
    expect(await lines('virgule_scale')).toEqual([]);
    expect(await lines('virgule_rest_queued')).toHaveLength(1);
  });

  it('counts commands by name and outcome', async () => {
    const { observer, lines } = start();
    observer.ended?.({ ...RECORD, ms: 4 });
    observer.ended?.({ ...RECORD, ms: 700 });
    observer.ended?.({ ...RECORD, outcome: 'expired', ms: 5 });
    observer.ended?.({
      ...RECORD,
      name: 'play',
      result: 'failed',
      error: new Error('no'),
      ms: 5,
    });
    expect(await lines('virgule_commands_total')).toEqual([
      'virgule_commands_total{name="roll",outcome="answered",caller="slash"} 2',
      'virgule_commands_total{name="roll",outcome="expired",caller="slash"} 1',
      'virgule_commands_total{name="play",outcome="failed",caller="slash"} 1',
    ]);
  });

  it('keeps a histogram of durations, in seconds', async () => {
    const { observer, lines } = start();
    observer.ended?.({ ...RECORD, ms: 4 });
    observer.ended?.({ ...RECORD, ms: 700 });
    const reported = await lines('virgule_command_duration_seconds');
    expect(reported).toContain('virgule_command_duration_seconds_bucket{le="0.005",name="roll"} 1');
    expect(reported).toContain('virgule_command_duration_seconds_bucket{le="0.5",name="roll"} 1');
    expect(reported).toContain('virgule_command_duration_seconds_bucket{le="1",name="roll"} 2');
    expect(reported).toContain('virgule_command_duration_seconds_sum{name="roll"} 0.704');
  });

  it('counts reconnects and the time without a connection', async () => {
    const { observer, lines } = start();
    const gap = { from: '', to: '', reason: 'lost', unrecoverable: [] };
    observer.status?.({ state: 'ready', ready: READY, reconnected: false });
    observer.status?.({ state: 'gap', ms: 1_500, ...gap });
    observer.status?.({ state: 'ready', ready: READY, reconnected: true });
    expect(await lines('virgule_gateway_reconnects_total')).toEqual([
      'virgule_gateway_reconnects_total 1',
    ]);
    expect(await lines('virgule_gateway_gap_seconds_total')).toEqual([
      'virgule_gateway_gap_seconds_total 1.5',
    ]);
  });

  it('measures the connection and REST', async () => {
    const { vitals, connect, lines } = start();
    expect(await lines('virgule_rest_queued')).toEqual(['virgule_rest_queued 0']);
    expect(await lines('virgule_gateway_ready')).toEqual([
      'virgule_gateway_ready 0',
      'virgule_gateway_ready_age_seconds Nan',
    ]);
    connect();
    vitals.observer.status?.({ state: 'ready', ready: READY, reconnected: false });
    expect([...(await lines('virgule_gateway_ready')), ...(await lines('virgule_rest'))]).toEqual([
      'virgule_gateway_ready 1',
      'virgule_gateway_ready_age_seconds 0',
      'virgule_rest_rate_limited_total 7',
      'virgule_rest_breaker_open 1',
      'virgule_rest_in_flight 3',
      'virgule_rest_queued 9',
    ]);
  });

  it.each([
    ['call', 'calls', { name: 'roll', caller: 'model' }, 'name="roll",outcome="ok",caller="model"'],
    ['event', 'events', { name: 'events/ready.ts' }, 'name="events/ready.ts",outcome="ok"'],
    ['task', 'tasks', { name: 'digest', result: 'failed' }, 'name="digest",outcome="failed"'],
    [
      'rest',
      'rest',
      { name: 'messages.send', result: 'E_TIMEOUT' },
      'name="messages.send",outcome="E_TIMEOUT"',
    ],
    ['storage', 'storage', { name: 'sqlite' }, 'name="sqlite",outcome="ok"'],
  ] as const)('counts and measures work of the kind %s', async (kind, plural, work, labels) => {
    const { observer, lines } = start();
    observer.ended?.({ kind, startMs: 0, ms: 4, ...work });
    expect(await lines(`virgule_${plural}_total`)).toEqual([
      `virgule_${plural}_total{${labels}} 1`,
    ]);
    expect(await lines(`virgule_${kind}_duration_seconds_sum`)).toEqual([
      `virgule_${kind}_duration_seconds_sum{name="${work.name}"} 0.004`,
    ]);
  });

  it('measures how late tasks are, and counts answers 429 and open questions', async () => {
    const { observer, connect, lines } = start();
    connect();
    observer.ended?.({ kind: 'task', name: 'digest', startMs: 0, ms: 4, lateMs: 2_500 });
    expect(await lines('virgule_task_lateness_seconds_sum')).toEqual([
      'virgule_task_lateness_seconds_sum{name="digest"} 2.5',
    ]);
    expect(await lines('virgule_rest_rate')).toEqual(['virgule_rest_rate_limited_total 7']);
    expect(await lines('virgule_asks')).toEqual(['virgule_asks_open 2']);
  });

  it('includes the metrics of Node.js, in the format of Prometheus', async () => {
    const { registry } = start();
    expect(registry.contentType).toContain('text/plain');
    expect(await registry.metrics()).toContain('process_resident_memory_bytes');
  });

  it('keeps the counts of two bots apart', async () => {
    const [one, other] = [start(), start()];
    one.observer.ended?.({ ...RECORD, ms: 1 });
    expect(await other.lines('virgule_commands_total')).toEqual([]);
  });
});
