import { describe, expect, it } from 'vitest';
import { QUICK, readBenchArguments, USUAL } from './read-bench-arguments.js';
import { SCENARIOS } from './scenarios.js';

const idsOf = (argv: string[]) => readBenchArguments(argv).plans.map(({ id }) => id);

describe('readBenchArguments', () => {
  it('measures everything in full unless told', () => {
    expect(readBenchArguments([])).toEqual({ plans: SCENARIOS, size: USUAL, output: 'table' });
  });

  it('takes some of the scenarios by their words', () => {
    expect(idsOf(['--only', 'events'])).toEqual(['events']);
    expect(idsOf(['--only', 'memory, start,commands'])).toEqual(['memory', 'start', 'commands']);
  });

  it('takes the number of rounds, of a quick look too', () => {
    expect(readBenchArguments(['--rounds', '3']).size).toEqual({ ...USUAL, rounds: 3 });
    expect(readBenchArguments(['--quick']).size).toEqual(QUICK);
    expect(readBenchArguments(['--quick', '--rounds', '9']).size.rounds).toBe(9);
  });

  it('prints as it is told', () => {
    expect(readBenchArguments(['--json']).output).toBe('json');
    expect(readBenchArguments(['--markdown']).output).toBe('markdown');
  });

  it.each([
    [['--only', 'comands'], /--only takes some of commands, network, .* saw "comands"/],
    [['--only', ''], /--only takes some of/],
    [['--rounds', '0'], /--rounds takes a whole number from 1 on; saw "0"/],
    [['--rounds', '1.5'], /saw "1\.5"/],
    [['--rounds', 'many'], /saw "many"/],
    [['--json', '--markdown'], /either --markdown or --json/],
    [['--fast'], /--fast/],
    [['events'], /events/],
  ])('refuses %j', (argv, message) => {
    expect(() => readBenchArguments(argv)).toThrow(message);
  });
});

describe('SCENARIOS', () => {
  it('have a word and a title of their own', () => {
    expect(new Set(SCENARIOS.map(({ id }) => id)).size).toBe(SCENARIOS.length);
    expect(new Set(SCENARIOS.map(({ title }) => title)).size).toBe(SCENARIOS.length);
    for (const { id } of SCENARIOS) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  // The others install something first.
  const ours = SCENARIOS.filter(({ id }) => !/^(?:start|peer-)/.test(id));

  it.each(ours)('$id compares what it shows, and judges what it compares', async ({ prepare }) => {
    const { contenders, metrics, ratios } = await prepare(USUAL);
    expect(contenders.length).toBeGreaterThan(1);
    expect(contenders[0]?.targets ?? {}).toEqual({});
    expect(metrics).toEqual(expect.arrayContaining([...ratios]));
    for (const { targets = {} } of contenders)
      expect(ratios).toEqual(expect.arrayContaining(Object.keys(targets)));
    expect(new Set(contenders.map(({ name }) => name)).size).toBe(contenders.length);
  });
});
