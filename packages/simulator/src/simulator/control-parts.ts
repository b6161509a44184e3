// Parts of the control API that refuse.
import { isVirguleError } from '@virgule/core/errors';
import type { SimBotQuestion, SimFaults } from '@virgule/core/simulator-api';
import type { Faults } from '../faults/faults.js';
import { readFaults } from '../faults/read-faults.js';
import { invalid, Refusal } from '../world/refusal.js';
import type { World } from '../world/world.js';
import type { BotQuestionHandler } from './simulator.js';

/** Asks the process of the bot, which checks the question. */
export async function askBot(
  ask: BotQuestionHandler | undefined,
  question: SimBotQuestion,
): Promise<unknown> {
  if (ask === undefined)
    throw new Refusal(
      501,
      'sim_no_bot',
      'Only `virgule dev` shows the tasks and storage of a bot.',
    );
  const answer = await ask(question);
  if (answer === undefined)
    throw new Refusal(503, 'sim_bot_silent', 'The bot does not answer now: see the terminal.');
  if ('error' in answer) throw new Refusal(422, answer.error.code, answer.error.message);
  return answer.value;
}

export function setFaults({ profile }: World, faults: Faults, value: SimFaults): void {
  try {
    faults.set(readFaults(value));
  } catch (error) {
    if (!isVirguleError(error)) throw error;
    throw invalid(profile, String(error.details['field']), error.message);
  }
}
