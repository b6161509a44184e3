import { describe, expect, it } from 'vitest';
import type { Comparison } from './compare.js';
import { formatMarkdown, formatTable, type Result } from './format-table.js';

const row = (name: string, changes: Partial<Comparison> = {}): Comparison => ({
  name,
  values: { perSecond: 1_234.4, cpuMicros: 30 },
  ratios: { perSecond: { median: 1, low: 1, high: 1 } },
  added: {},
  wrong: 0,
  reached: [],
  missed: [],
  ahead: [],
  ...changes,
});

const ours = row('ours', {
  values: { perSecond: 950, cpuMicros: 33.04 },
  ratios: { perSecond: { median: 0.951, low: 0.9, high: 0.988 } },
  reached: ['per second >= 0.90'],
});

const result: Result = {
  title: 'Commands',
  about: 'What this is.',
  metrics: ['perSecond', 'cpuMicros'],
  ratios: ['perSecond'],
  comparisons: [row('by hand'), ours],
};

describe('formatTable', () => {
  it('prints one line a contender, with ratios, their spread and a verdict', () => {
    expect(formatTable(result)).toEqual([
      '',
      'Commands',
      '         per second  CPU us each  per second ratio  target',
      'by hand       1,234         30.0',
      'ours            950         33.0  0.95 (0.90-0.99)  reached: per second >= 0.90',
    ]);
  });

  it('says first what is missed', () => {
    const missed = row('ours', { missed: ['per second >= 0.90'], reached: ['p99 ms <= 2.00'] });
    const lines = formatTable({ ...result, comparisons: [row('by hand'), missed] });
    expect(lines[4]).toMatch(/missed: per second >= 0\.90; reached: p99 ms <= 2\.00$/);
    const ahead = formatTable({
      ...result,
      comparisons: [row('ours', { ahead: ['p50 ms <= 1.00'] })],
    });
    expect(ahead[3]).toMatch(/aim: p50 ms <= 1\.00$/);
  });

  it('shows differences next to the ratios', () => {
    const later = row('ours', { added: { p50Ms: { median: 0.5, low: -0.1, high: 1 } } });
    const lines = formatTable({
      ...result,
      added: ['p50Ms'],
      comparisons: [row('by hand'), later],
    });
    expect(lines[2]).toContain('per second ratio       p50 ms added');
    expect(lines[4]).toMatch(/0\.50 \(-0\.10-1\.00\)$/);
  });

  it('shows a dash for a figure that is not there', () => {
    const lines = formatTable({
      ...result,
      comparisons: [row('by hand', { values: { perSecond: Number.NaN } })],
    });
    expect(lines[3]).toBe('by hand           -            -');
  });

  it.each([
    [0.97, 1],
    [0.9, 0],
    [undefined, 0],
  ])('with %s of a core used by the other side has %i warnings', (otherLoad, count) => {
    const lines = formatTable({ ...result, comparisons: [row('by hand', { otherLoad })] });
    const warned = lines.filter((line) => line.startsWith('The other side used 97 % of a core'));
    expect(warned).toHaveLength(count);
    expect(lines).toHaveLength(4 + count);
  });
});

describe('formatMarkdown', () => {
  it('returns a section with the same cells, figures on the right', () => {
    expect(formatMarkdown(result)).toEqual([
      '### Commands',
      '',
      'What this is.',
      '',
      '|  | per second | CPU us each | per second ratio | target |',
      '| --- | ---: | ---: | ---: | --- |',
      '| by hand | 1,234 | 30.0 |  |  |',
      '| ours | 950 | 33.0 | 0.95 (0.90-0.99) | reached: per second >= 0.90 |',
      '',
    ]);
  });

  it('puts a warning below the table', () => {
    const busy = { ...result, comparisons: [row('by hand', { otherLoad: 1 })] };
    expect(formatMarkdown(busy).at(-2)).toMatch(/^The other side used 100 % of a core/);
  });
});
