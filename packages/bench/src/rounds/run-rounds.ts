import type { Sample, Scenario } from './scenario.js';

/** The samples of one round, in the order of the contenders. */
export type Round = readonly Sample[];

/**
 * Runs all contenders alternately, in each round in another order, so that temporary load on the machine and
 * the position in a round affect all of them.
 */
export async function runRounds(
  { contenders }: Pick<Scenario, 'contenders'>,
  rounds: number,
  report: (round: number) => void,
): Promise<Round[]> {
  const results: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const samples: Sample[] = [];
    for (const place of orderOf(round, contenders.length)) {
      const contender = contenders[place];
      if (contender) samples[place] = await contender.run();
    }
    results.push(samples);
    report(round + 1);
  }
  return results;
}

/** Returns the order of a round. In `count` rounds, each contender is once in each place; then the order is reversed. */
export function orderOf(round: number, count: number): number[] {
  const turn = round % count;
  const places = Array.from({ length: count }, (_value, place) => (place + turn) % count);
  return Math.floor(round / count) % 2 === 0 ? places : places.toReversed();
}
