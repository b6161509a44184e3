import { describe, expect, it } from 'vitest';
import { QUICK_SIZE, readBenchArguments, DEFAULT_SIZE } from './read-bench-arguments.js';
import { SCENARIOS } from './scenarios.js';

const idsOf = (argv: string[]) => readBenchArguments(argv).plans.map(({ id }) => id);

describe('readBenchArguments', () => {
  it('measures everything in full by default', () => {
    expect(readBenchArguments([])).toEqual({
      plans: SCENARIOS,
      size: DEFAULT_SIZE,
      output: 'table',
    });
  });

  it('takes some of the scenarios by their words', () => {
    expect(idsOf(['--only', 'events'])).toEqual(['events']);
    expect(idsOf(['--only', 'memory, start,commands'])).toEqual(['memory', 'start', 'commands']);
  });

  it('takes the number of rounds, of a quick look too', () => {
    expect(readBenchArguments(['--rounds', '3']).size).toEqual({ ...DEFAULT_SIZE, rounds: 3 });
    expect(readBenchArguments(['--quick']).size).toEqual(QUICK_SIZE);
    expect(readBenchArguments(['--quick', '--rounds', '9']).size.rounds).toBe(9);
  });

  it('prints in the requested format', () => {
    expect(readBenchArguments(['--json']).output).toBe('json');
    expect(readBenchArguments(['--markdown']).output).toBe('markdown');
  });

  it.each([
    [
      ['--only', 'comands'],
      /--only takes a comma-separated list of commands, network, .* got "comands"/,
    ],
    [['--only', ''], /--only takes a comma-separated list of/],
    [['--rounds', '0'], /--rounds takes a whole number of at least 1, got "0"/],
    [['--rounds', '1.5'], /got "1\.5"/],
    [['--rounds', 'many'], /got "many"/],
    [['--json', '--markdown'], /--markdown and --json/],
    [['--fast'], /--fast/],
    [['events'], /events/],
  ])('refuses %j', (argv, message) => {
    expect(() => readBenchArguments(argv)).toThrow(message);
  });
});

describe('SCENARIOS', () => {
  it('have unique names and titles', () => {
    expect(new Set(SCENARIOS.map(({ id }) => id)).size).toBe(SCENARIOS.length);
    expect(new Set(SCENARIOS.map(({ title }) => title)).size).toBe(SCENARIOS.length);
    for (const { id } of SCENARIOS) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  // The others install something first.
  const ours = SCENARIOS.filter(({ id }) => !/^(?:start|peer-)/.test(id));

  it.each(ours)('$id compares what it shows, and judges what it compares', async ({ prepare }) => {
    const { contenders, metrics, ratios } = await prepare(DEFAULT_SIZE);
    expect(contenders.length).toBeGreaterThan(1);
    expect(contenders[0]?.targets ?? {}).toEqual({});
    expect(metrics).toEqual(expect.arrayContaining([...ratios]));
    for (const { targets = {} } of contenders)
      expect(ratios).toEqual(expect.arrayContaining(Object.keys(targets)));
    expect(new Set(contenders.map(({ name }) => name)).size).toBe(contenders.length);
  });
});
