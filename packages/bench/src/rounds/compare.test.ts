import { describe, expect, it } from 'vitest';
import { compare } from './compare.js';
import { formatTable } from './format-table.js';
import type { Round } from './run-rounds.js';
import type { Sample, Scenario } from './scenarios.js';

const sample = (perSecond: number, changes: Partial<Sample> = {}): Sample => ({
  perSecond,
  cpuMicros: 1e6 / perSecond,
  platformLoad: 0.5,
  peakMiB: 100,
  latency: { p50Ms: 1, p99Ms: 4 },
  wrong: 0,
  ...changes,
});

const round = (floor: number, client: number, runtime = client): Round => ({
  floor: sample(floor),
  client: sample(client),
  runtime: sample(runtime),
});

const scenario: Scenario = {
  name: 'commands',
  run: () => Promise.reject(new Error('not run here')),
  targets: { client: { rate: 0.9 }, runtime: { rate: 0.8, cpu: 1.2, informative: true } },
};

const clientOf = (rounds: Round[]) => compare(scenario, rounds).find(({ bot }) => bot === 'client');

describe('compare', () => {
  it('takes each ratio inside a round, and the median over the rounds', () => {
    // The machine was half as fast in the second round: both bots were.
    const rounds = [round(1_000, 950), round(500, 480), round(1_000, 900)];
    expect(clientOf(rounds)).toMatchObject({ rateRatio: 0.95, missed: [] });
  });

  it('says what was missed', () => {
    expect(clientOf([round(1_000, 850)])).toMatchObject({ missed: ['rate < 0.90'] });
    const [, , runtime] = compare(scenario, [round(1_000, 950, 500)]);
    expect(runtime).toMatchObject({ missed: ['rate < 0.80', 'CPU > 1.20'], informative: true });
  });

  it('takes no rate for good when answers were wrong', () => {
    const rounds = [{ ...round(1_000, 999), client: sample(999, { wrong: 2 }) }];
    expect(clientOf(rounds)?.missed).toEqual(['2 wrong or doubled answers']);
  });
});

describe('formatTable', () => {
  it('prints one line a bot, with ratios and a verdict', () => {
    const lines = formatTable('commands', compare(scenario, [round(1_000, 950, 500)]));
    expect(lines[1]).toBe('commands');
    expect(lines[2]).toMatch(
      /^bot +per second +CPU us each .*rate vs floor +CPU vs floor +target$/,
    );
    expect(lines[3]).toMatch(/^floor +1,000 +1,000\.00 +1\.00 +4\.00 +100 +1\.00 +1\.00$/);
    expect(lines[4]).toMatch(/^client .* 0\.95 +1\.05 +reached$/);
    expect(lines[5]).toMatch(/^runtime .*rate < 0\.80, CPU > 1\.20 \(for information\)$/);
  });

  it('warns when the platform may be what was measured', () => {
    const rounds = [{ ...round(1_000, 950), client: sample(950, { platformLoad: 0.97 }) }];
    const lines = formatTable('commands', compare(scenario, rounds));
    expect(lines.at(-1)).toMatch(/^The platform used 97 % of a core with client/);
  });

  it('leaves latency out where there is none', () => {
    const quiet = sample(1_000, { latency: undefined });
    const lines = formatTable(
      'events',
      compare(scenario, [{ floor: quiet, client: quiet, runtime: quiet }]),
    );
    expect(lines[3]).toMatch(/^floor +1,000 +1,000\.00 +100 +1\.00 +1\.00$/);
  });
});
