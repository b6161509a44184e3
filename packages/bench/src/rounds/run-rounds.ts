import type { Sample, Scenario } from './scenario.js';

/** What every contender did in one round, in their own order. */
export type Round = readonly Sample[];

/**
 * Runs all contenders in turn, in every round in another order: what disturbs this machine for a while
 * disturbs all of them, and being first or last helps none.
 */
export async function runRounds(
  { contenders }: Pick<Scenario, 'contenders'>,
  rounds: number,
  tell: (round: number) => void,
): Promise<Round[]> {
  const results: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const samples: Sample[] = [];
    for (const place of orderOf(round, contenders.length)) {
      const contender = contenders[place];
      if (contender) samples[place] = await contender.run();
    }
    results.push(samples);
    tell(round + 1);
  }
  return results;
}

/** Each of `count` is in each place equally often in `count` rounds; after those they run the other way. */
export function orderOf(round: number, count: number): number[] {
  const turn = round % count;
  const places = Array.from({ length: count }, (_value, place) => (place + turn) % count);
  return Math.floor(round / count) % 2 === 0 ? places : places.toReversed();
}
