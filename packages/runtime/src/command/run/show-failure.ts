import { errorText, isVirguleError, namedErrorText, readableError } from '@virgule/core/errors';
import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { areSentMessages } from '../answer/sent-message.js';
import { toParts } from '../answer/answer.js';
import { isInvalidInput } from '../../errors/error-guards.js';
import { UserError } from '../../errors/user-error.js';
import type { ErrorHandler } from '../define/define-middleware.js';
import { cutText } from '../../text/cut-text.js';
import type { RunResult } from '../observer.js';
import type { CommandRun } from './command-run.js';
import { deliver, endWithoutAnswer, hasAnswered } from './write-answer.js';
import { contextOf } from './create-command-context.js';

const MAX_CAUSE_LENGTH = 500;

/** Records, logs and shows the failure of a run. `isWaiting`: the command could not run yet. */
export async function fail(error: unknown, run: CommandRun, isWaiting: boolean): Promise<void> {
  const { command, env, interaction } = run;
  const { name, file } = command;
  run.result = resultOf(error);
  if (isInvalidInput(error)) {
    const { message, usage } = error.details;
    // In production, typed text is never logged.
    run.refusal = env.development ? message.replace(` Usage: ${usage}`, '') : 'invalid input';
  }
  if (run.init.opened && interaction.isAnsweredBefore) {
    interaction.note('info', {}, `/${name} was answered before by a process that has ended`);
    return;
  }
  // The bot shut down before the handler was called, or while the handler waited for users; or a caller did not wait for it.
  const isRefused =
    run.result === 'stopped' &&
    (isWaiting || run.init.around || isVirguleError(error, 'E_WAIT_CLOSED'));
  if (!isRefused && run.result !== 'input' && run.result !== 'user-error') {
    run.failure = { error };
    const details = { file, err: error };
    interaction.note('error', details, `/${name} failed: ${errorText(error)}${whyExpired(run)}`);
  }
  await showError(error, run);
}

/** Result of a run and text for its user, by the code of an error. */
const ENDS = [
  { code: 'E_COMMAND_TIMEOUT', result: 'timed-out', text: 'timedOut' },
  { code: 'E_HANDLER_STOPPED', result: 'stopped', text: 'restarting' },
  { code: 'E_WAIT_CLOSED', result: 'stopped', text: 'waitClosed' },
  { code: 'E_AUTHOR_UNKNOWN', result: 'user-error', text: 'authorUnknown' },
  { code: 'E_TOO_MANY_WAITS', result: 'busy', text: 'tooBusy' },
] as const;

const endOf = (error: unknown) => ENDS.find(({ code }) => isVirguleError(error, code));

function resultOf(error: unknown): RunResult {
  if (isInvalidInput(error)) return 'input';
  if (error instanceof UserError) return 'user-error';
  return endOf(error)?.result ?? 'failed';
}

/** Logs that the outcome could not be shown: the platform refused the call, or cannot be reached. */
export function logUndelivered(error: unknown, run: CommandRun): void {
  const { command, interaction } = run;
  run.failure ??= { error };
  const message = `the answer of /${command.name} could not be delivered${whyExpired(run)}`;
  interaction.note('error', { state: interaction.state, err: error }, message);
}

/** Returns the cause of an expiry if known, else an empty string. */
function whyExpired({ interaction, lateMs }: CommandRun): string {
  if (interaction.state !== 'expired' || lateMs === 0) return '';
  return ` (the event loop was blocked for ${Math.round(lateMs)} ms before it could be deferred)`;
}

/** Shows an error to the user, with the text of the nearest `_error.ts` that returns one. */
async function showError(error: unknown, run: CommandRun): Promise<void> {
  const { command, interaction } = run;
  for (const handler of command.errorHandlers) {
    try {
      const text = await run.finalReply(callHandler(handler, error, run));
      if (text === undefined) continue;
      run.sealed ??= { error };
      if (text === null && !(await hasAnswered(null, run))) await endWithoutAnswer(run);
      if (text !== null && !areSentMessages(text))
        await deliver(howToShow(run), toParts(text), run);
      return;
    } catch (reason) {
      const thrown = readableError(reason);
      if (isVirguleError(thrown, 'E_INTERACTION_EXPIRED')) throw thrown;
      // The next outer handler is called after an error handler that fails.
      const message = `an error handler of /${command.name} failed: ${errorText(thrown)}`;
      interaction.note('error', { file: command.file, err: thrown }, message);
    }
  }
  run.sealed ??= { error };
  if (isVirguleError(error, 'E_INTERACTION_EXPIRED')) return;
  await interaction.messages.idle();
  if (interaction.state === 'answered' && (run.hasSpoken || interaction.isAnsweredBefore)) return;
  await interaction[howToShow(run)]({ content: textFor(error, run) });
}

/** Calls an error handler. Returns its answer, or an empty list of messages instead of `undefined` if it replied itself. */
async function callHandler(handler: ErrorHandler, error: unknown, run: CommandRun) {
  const { interaction, written } = run;
  const text = await handler(error, contextOf(run));
  if (text !== undefined || run.written === written) return text;
  await interaction.messages.settled();
  return interaction.failure ? undefined : [];
}

/** Returns the call for an error text: `write` replaces an unfinished state, `reply` follows a finished answer. */
const howToShow = ({ interaction }: CommandRun): 'write' | 'reply' =>
  interaction.isUnfinished ? 'write' : 'reply';

function textFor(error: unknown, run: CommandRun): string {
  const { env, event, init, command, typed } = run;
  const { texts, development, redact } = env;
  if (error instanceof UserError && error.message !== '')
    return cutText(error.message, CONTENT_MAX_LENGTH);
  if (isInvalidInput(error)) return texts.inputFailure({ ...event, ...error.details });
  const end = endOf(error);
  const { name } = command;
  // The details of E_AUTHOR_UNKNOWN have the command as a message.
  const usage = Object(error).details?.usage as string | undefined;
  if (end) return texts[end.text]({ ...event, name, typed, usage });
  // The cause may name what no user of the model may know.
  if (!development || init.caller === 'model') return texts.failed({ ...event, cause: undefined });
  // Secrets are removed before the text is cut: half of a secret would not be found.
  const cause = redact(namedErrorText(error)).slice(0, MAX_CAUSE_LENGTH);
  return texts.failed({ ...event, cause });
}
