import { describe, expect, it } from 'vitest';
import { QUICK_SETTINGS, readBenchArguments, DEFAULT_SETTINGS } from './read-bench-arguments.js';
import { SCENARIOS } from './scenarios.js';

const idsOf = (argv: string[]) => readBenchArguments(argv).plans.map(({ id }) => id);

describe('readBenchArguments', () => {
  it('measures everything in full by default', () => {
    expect(readBenchArguments([])).toEqual({
      plans: SCENARIOS,
      settings: DEFAULT_SETTINGS,
      output: 'table',
    });
  });

  it('takes some of the scenarios by their words', () => {
    expect(idsOf(['--only', 'events'])).toEqual(['events']);
    expect(idsOf(['--only', 'network, start,commands'])).toEqual(['network', 'start', 'commands']);
  });

  it('takes the number of rounds, of a quick look too', () => {
    expect(readBenchArguments(['--rounds', '3']).settings).toEqual({
      ...DEFAULT_SETTINGS,
      rounds: 3,
    });
    expect(readBenchArguments(['--quick']).settings).toEqual(QUICK_SETTINGS);
    expect(readBenchArguments(['--quick', '--rounds', '9']).settings.rounds).toBe(9);
  });

  it('measures another checkout too', () => {
    expect(readBenchArguments(['--base', '../other']).settings.base).toBe('../other');
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
  const ours = SCENARIOS.filter(({ id }) => !id.startsWith('peer-'));

  it.each(ours)('$id compares what it shows, and judges what it compares', async ({ prepare }) => {
    const { contenders, metrics, ratios } = await prepare(DEFAULT_SETTINGS);
    expect(contenders.length).toBeGreaterThan(1);
    expect(contenders[0]?.targets ?? {}).toEqual({});
    expect(metrics).toEqual(expect.arrayContaining([...ratios]));
    for (const { targets = {}, aims = {} } of contenders)
      expect(ratios).toEqual(expect.arrayContaining(Object.keys({ ...targets, ...aims })));
    expect(new Set(contenders.map(({ name }) => name)).size).toBe(contenders.length);
  });
});
