import { BOT_NAMES, type BotName } from '../bots/bench-bot.js';
import { runOnce, type Sample, type Scenario } from './scenarios.js';

/** What every bot did in one round. */
export type Round = Readonly<Record<BotName, Sample>>;

/**
 * Runs all bots in turn, in every round in another order: what disturbs this machine for a while
 * disturbs all of them, and being first or last helps none.
 */
export async function runRounds(
  scenario: Scenario,
  rounds: number,
  tell: (line: string) => void,
): Promise<Round[]> {
  const results: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const samples: Partial<Record<BotName, Sample>> = {};
    for (const bot of orderOf(round)) samples[bot] = await runOnce(scenario, bot);
    // Every bot has its sample now.
    results.push(samples as Round);
    tell(`${scenario.name}: round ${round + 1} of ${rounds}`);
  }
  return results;
}

/** Each bot is first, in the middle and last equally often. */
export function orderOf(round: number): BotName[] {
  const turn = round % BOT_NAMES.length;
  const turned = [...BOT_NAMES.slice(turn), ...BOT_NAMES.slice(0, turn)];
  return Math.floor(round / BOT_NAMES.length) % 2 === 0 ? turned : turned.toReversed();
}
