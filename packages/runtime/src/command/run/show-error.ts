import { errorText, isVirguleError, namedErrorText, readableError } from '@virgule/core/errors';
import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { contextOf } from './create-command-context.js';
import { areSentMessages } from '../answer/sent-message.js';
import { toParts, type Answer } from '../answer/answer.js';
import type { ErrorHandler } from '../define/define-middleware.js';
import { UserError } from '../../errors/user-error.js';
import { isInvalidInput } from '../../errors/error-guards.js';
import { deliver, hasAnswered, endWithoutAnswer } from './write-answer.js';
import { cutText } from '../../text/cut-text.js';
import { textContext } from '../environment.js';
import type { CommandRun } from './command-run.js';

/** The maximum number of characters of an error that are shown in development. */
const MAX_CAUSE_LENGTH = 500;

/** Shows an error to the user, with the text of the nearest `_error.ts` that returns one. */
export async function showError(error: unknown, run: CommandRun): Promise<void> {
  const { command, interaction, env } = run;
  for (const handler of command.errorHandlers) {
    try {
      const text = await run.finalReply(callHandler(handler, error, run));
      if (text === undefined) continue;
      run.seal(error);
      if (text === null && !(await hasAnswered(null, run))) await endWithoutAnswer(run);
      if (text !== null && !areSentMessages(text))
        await deliver(howToShow(run), toParts(text), run);
      return;
    } catch (reason) {
      const thrown = readableError(reason);
      if (isVirguleError(thrown, 'E_INTERACTION_EXPIRED')) throw thrown;
      // After a handler that fails, the next outer one is called.
      env.log.error(
        { command: command.name, file: command.file, err: thrown },
        `an error handler of /${command.name} failed: ${errorText(thrown)}`,
      );
    }
  }
  run.seal(error);
  if (isVirguleError(error, 'E_INTERACTION_EXPIRED')) return;
  await interaction.idle();
  if (interaction.state === 'answered' && (run.hasSpoken || interaction.isAnsweredBefore)) return;
  await interaction[howToShow(run)]({ content: textFor(error, run) });
}

/** Returns what an error handler returns; no messages, instead of nothing, if it has replied itself. */
async function callHandler(
  handler: ErrorHandler,
  error: unknown,
  run: CommandRun,
): Promise<Answer> {
  const { interaction, written } = run;
  const text = await handler(error, contextOf(run));
  if (text !== undefined || run.written === written) return text;
  await interaction.settled();
  return interaction.failure ? undefined : [];
}

/** Replaces a state that another one was to follow; every other answer is followed. */
const howToShow = ({ interaction }: CommandRun): 'write' | 'reply' =>
  interaction.isUnfinished ? 'write' : 'reply';

function textFor(error: unknown, { env, event, command: { name } }: CommandRun): string {
  const { texts, development, redact } = env;
  const where = textContext(env, event);
  if (error instanceof UserError && error.message !== '')
    return cutText(error.message, CONTENT_MAX_LENGTH);
  if (isInvalidInput(error)) return texts.inputFailure({ ...error.details, ...where });
  if (isVirguleError(error, 'E_COMMAND_TIMEOUT')) return texts.timedOut(where);
  if (isVirguleError(error, 'E_HANDLER_STOPPED')) return texts.restarting(where);
  if (isVirguleError(error, 'E_WAIT_CLOSED')) return texts.waitClosed(where);
  if (isVirguleError(error, 'E_TOO_MANY_WAITS')) return texts.tooBusy({ name, ...where });
  if (!development) return texts.failed({ cause: undefined, ...where });
  const cause = namedErrorText(error);
  // Before the text is cut: half of a secret would not be found.
  return texts.failed({ cause: redact(cause).slice(0, MAX_CAUSE_LENGTH), ...where });
}
