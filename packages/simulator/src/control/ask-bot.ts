import type { SimBotQuestion, SimHandlerFile } from '@virgule/core/simulator-api';
import { Refusal } from '../world/refusal.js';
import type { Control } from './action.js';

/** Asks the process of the bot. @throws Refusal when no process answers. */
export async function askBot({ bot }: Pick<Control, 'bot'>, question: SimBotQuestion) {
  const none = 'Only `virgule dev` shows the tasks and storage of a bot.';
  if (bot.answer === undefined) throw new Refusal(501, 'sim_no_bot', none);
  const answer = await bot.answer(question);
  if (answer === undefined)
    throw new Refusal(503, 'sim_bot_silent', 'The bot does not answer now: see the terminal.');
  if ('error' in answer) throw new Refusal(422, answer.error.code, answer.error.message);
  return answer.value;
}

/** Returns the commands, event handlers and tasks with questions of the bot; `undefined` when no process answers. */
export const handlersOf = (
  control: Pick<Control, 'bot'>,
): Promise<readonly SimHandlerFile[] | undefined> =>
  // The process of the bot answers a question with its type.
  askBot(control, { type: 'handlers' }).catch(() => undefined) as Promise<SimHandlerFile[]>;
