import { raceAbort } from '@virgule/core/abort';
import { isRecord } from '@virgule/core/objects';
import { SIM_ACTIONS, type SimAction } from '@virgule/simulator/control';
import { handlersOf } from '../dev/child/bot-questions.js';
import { requestAction } from './sim-client.js';
import { flagsOf, readInput, wordsOf } from './sim-input.js';
import { resultText } from './outcome-text.js';
import { runningSimulator } from '../state/state-lock.js';
import { invalidWords } from '../terminal/invalid-arguments.js';
import { cliErrors } from '../terminal/cli-errors.js';
import type { CliCommand } from '../terminal/command.js';
import type { Io } from '../terminal/io.js';
import { openBot } from '../testing/open-bot.js';

const JSON_FLAG = { json: { type: 'boolean', about: 'Print one JSON object' } } as const;

const EXITS = { 0: 'done', 1: 'refused, or no `virgule dev` is running in this folder' };

/** Actions of the control API, each as a subcommand of `virgule sim`. */
export const ACTION_COMMANDS: Readonly<Record<string, CliCommand>> = Object.fromEntries(
  SIM_ACTIONS.map((action) => [action.name, commandOf(action)]),
);

/** Returns the error for words that begin with no action. */
export const unknownAction = (words: readonly string[]): Error =>
  invalidWords('sim', 'an action', words, Object.keys(ACTION_COMMANDS));

export function commandOf(action: SimAction): CliCommand {
  return {
    name: `sim ${action.name}`,
    words: wordsOf(action),
    about: action.about,
    flags: { ...flagsOf(action), ...JSON_FLAG },
    examples: [['virgule sim', action.name, action.example, '--json'].filter(Boolean).join(' ')],
    exits: EXITS,
    async run({ words, flags }, io) {
      const input = await readInput(action, { words, flags }, io.cwd);
      const baseUrl = runningSimulator(io.cwd);
      const result =
        baseUrl === undefined
          ? await actAlone(action, input, io)
          : await requestAction(baseUrl, action.name, input, io.interrupt);
      io.stdout.write(flags['json'] ? `${JSON.stringify(result)}\n` : resultText(result));
      return 0;
    },
  };
}

/** Performs an action of a user with a bot of this process, on a private simulator. */
async function actAlone(action: SimAction, input: object, io: Io): Promise<unknown> {
  if (action.reads || !('seconds' in action.input.shape)) throw cliErrors.E_SIM_NOT_RUNNING({});
  await using bot = await openBot(io);
  bot.platform.answerWith(async () => ({ value: handlersOf(bot.project) }));
  const result = await raceAbort(bot.platform.act(action.name, input), io.interrupt);
  // Waits for handlers of this process, including handlers without an answer.
  await raceAbort(bot.idle(), io.interrupt);
  const id = isRecord(result) ? result['id'] : undefined;
  if (typeof id !== 'string') return result;
  return await bot.platform.act('follow', { id, seconds: 0 });
}
