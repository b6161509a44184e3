import type { Sample, Scenario } from './scenario.js';

/** The samples of one slice, in the order of the contenders. */
export type Slice = readonly Sample[];

/**
 * Runs all contenders by turns, in each slice in another order, so that temporary load on the machine and the position
 * in a slice affect all of them. Each round starts new processes, because two with the same code differ.
 */
export async function runRounds(
  { contenders, slices = 1 }: Pick<Scenario, 'contenders' | 'slices'>,
  rounds: number,
  report: (round: number) => void,
): Promise<Slice[]> {
  const results: Slice[] = [];
  for (let round = 0; round < rounds; round += 1) {
    try {
      for (let slice = 0; slice < slices; slice += 1) {
        const samples: Sample[] = [];
        for (const place of orderOf(results.length, contenders.length)) {
          const contender = contenders[place];
          if (contender) samples[place] = await contender.run();
        }
        results.push(samples);
      }
    } finally {
      for (const { close } of contenders) await close?.();
    }
    report(round + 1);
  }
  return results;
}

/** Returns the order of a slice. In `count` slices, each contender is once in each place; then the order is reversed. */
export function orderOf(slice: number, count: number): number[] {
  const turn = slice % count;
  const places = Array.from({ length: count }, (_value, place) => (place + turn) % count);
  return Math.floor(slice / count) % 2 === 0 ? places : places.toReversed();
}
