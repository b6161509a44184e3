import { readFile } from 'node:fs/promises';
import { createFakeClock } from '@virgule/core/clock';
import * as prom from 'prom-client';
import { expect, it } from 'vitest';
import { createBotMetrics } from './metrics.js';
import { createVitals } from './vitals.js';

it.each(['grafana.json', 'alerts.yml'])(
  'has each metric that %s names, with its labels',
  async (file) => {
    const text = await readFile(
      new URL(`../../../virgule/monitoring/${file}`, import.meta.url),
      'utf8',
    );
    const vitals = createVitals(createFakeClock());
    vitals.observer.connecting?.({
      rest: { limits: () => ({ origins: [] }) } as never,
      gateway: {} as never,
      metrics: async () => ({ standby: 0 }),
    });
    const metrics = createBotMetrics(vitals, prom, async () => 0);
    const kinds = ['command', 'call', 'event', 'task', 'rest', 'storage'] as const;
    for (const kind of kinds)
      metrics.observer.ended?.({ kind, name: 'x', caller: 'slash', startMs: 0, lateMs: 0 });
    const served = await metrics.registry.metrics();
    const named = new Set(text.match(/\b(?:virgule|nodejs)_\w+/g));
    expect(named.size).toBeGreaterThan(5);
    expect([...named].filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(served))).toEqual([]);
    // Prometheus itself has `up`, with the name of the job.
    const labels = new Set(
      [...text.matchAll(/(\w+)(?:=~|!~|!=|=)\\?"/g)].map(([, label]) => label),
    );
    expect(
      [...labels].filter((label) => label !== 'job' && !served.includes(`${label}="`)),
    ).toEqual([]);
  },
);
