import { errorText, isVirguleError, namedErrorText, readableError } from '@virgule/core/errors';
import { CONTENT_MAX_LENGTH, type Channel } from '@virgule/core/protocol';
import { areSentMessages } from '../answer/sent-message.js';
import { toParts, type Answer } from '../answer/answer.js';
import { isInvalidInput } from '../../errors/error-guards.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { UserError } from '../../errors/user-error.js';
import type { Command } from '../define/command.js';
import type { ParsedInput } from '../raw-input/check-values.js';
import { shownText } from '../raw-input/input-failure.js';
import { parseRawInput, type ChannelLookup } from '../raw-input/parse-raw-input.js';
import type { Lifetime } from '../lifetime.js';
import { textContext, type BotEnvironment } from '../environment.js';
import type { ErrorHandler } from '../define/define-middleware.js';
import { cutText } from '../../text/cut-text.js';
import { CommandRun, type CommandRunInit, type RunResult } from './command-run.js';
import { deliver, endWithoutAnswer, hasAnswered, writeAnswer } from './write-answer.js';
import { runChain } from './run-chain.js';
import { contextOf } from './create-command-context.js';

const MAX_CAUSE_LENGTH = 500;

/** Runs one command from its receipt to its one visible outcome. Never rejects, and awaits no value that is available already. */
export async function runCommand(init: CommandRunInit, env: BotEnvironment): Promise<void> {
  const run = new CommandRun(init, env);
  const { command, timings } = run;
  let isSilent = false;
  let isWaiting = init.ready !== undefined;
  try {
    try {
      if (init.ready) {
        await run.waitFor(init.ready);
        isWaiting = false;
        if (timings) timings.queueMs += timings.lap();
      }
      const parsing = parseRawInput(
        run.event.rawInput,
        command,
        // Only a name has this character.
        run.event.rawInput.includes('#') ? createChannelLookup(run) : undefined,
        env.isAttachment,
      );
      run.options = optionsOf(
        parsing instanceof Promise ? await run.waitFor(parsing) : parsing,
        command,
      );
      if (timings) timings.parseMs = timings.lap();
      let result: Answer;
      try {
        const given = runChain(run);
        result = given instanceof Promise ? await given : given;
      } finally {
        if (timings) timings.chainMs = timings.lap();
      }
      const { stopped } = run.lifetime;
      const message = areSentMessages(result) ? undefined : (result ?? undefined);
      // A handler that ends because of a stop, without a message, has not answered.
      if (stopped && message === undefined && !run.hasSpoken) throw stopped.reason;
      if (message !== undefined) await writeAnswer(message, run);
      else isSilent = !(await hasAnswered(result === null ? null : undefined, run));
      // Calls that the handler does not await belong to the command too.
      if (!run.interaction.isSettled) await run.waitFor(run.interaction.settled());
    } catch (error) {
      isSilent = false;
      await fail(readableError(error), run, isWaiting);
    }
    // A failure here is only logged: an error text would break the silence.
    if (isSilent) await endWithoutAnswer(run);
  } catch (error) {
    logUndelivered(readableError(error), run);
  } finally {
    run.end();
  }
}

function optionsOf(parsed: ParsedInput, { name }: Command): Readonly<Record<string, unknown>> {
  if (parsed.ok) return parsed.options;
  const { failure } = parsed;
  if (failure.kind === 'crashed') throw failure.cause;
  throw runtimeErrors.E_INPUT({ commandName: name, ...failure });
}

async function fail(error: unknown, run: CommandRun, isWaiting: boolean): Promise<void> {
  const { command, env } = run;
  const { name, file } = command;
  run.result = resultOf(error);
  if (isInvalidInput(error)) {
    const { message, usage } = error.details;
    // In production, typed text is never logged.
    run.refusal = env.development ? message.replace(` Usage: ${usage}`, '') : 'invalid input';
  }
  if (run.mayHaveRun && run.interaction.isAnsweredBefore) {
    run.note('info', {}, `/${name} was answered before by a process that has ended`);
    return;
  }
  // The bot shut down before the handler was called, or while the handler waited for users.
  const isRefused =
    run.result === 'stopped' && (isWaiting || isVirguleError(error, 'E_WAIT_CLOSED'));
  if (!isRefused && run.result !== 'input' && run.result !== 'user-error') {
    run.failure = { error };
    run.note(
      'error',
      { file, err: error },
      `/${name} failed: ${errorText(error)}${whyExpired(run)}`,
    );
  }
  await showError(error, run);
}

/** Result of a run and text for its user, by the code of an error. */
const ENDS = [
  { code: 'E_COMMAND_TIMEOUT', result: 'timed-out', text: 'timedOut' },
  { code: 'E_HANDLER_STOPPED', result: 'stopped', text: 'restarting' },
  { code: 'E_WAIT_CLOSED', result: 'stopped', text: 'waitClosed' },
  { code: 'E_TOO_MANY_WAITS', result: 'busy', text: 'tooBusy' },
] as const;

const endOf = (error: unknown) => ENDS.find(({ code }) => isVirguleError(error, code));

function resultOf(error: unknown): RunResult {
  if (isInvalidInput(error)) return 'input';
  if (error instanceof UserError) return 'user-error';
  return endOf(error)?.result ?? 'failed';
}

/** Logs that the outcome could not be shown: the platform refused the call, or cannot be reached. */
function logUndelivered(error: unknown, run: CommandRun): void {
  const { command, interaction } = run;
  run.failure ??= { error };
  run.note(
    'error',
    { state: interaction.state, err: error },
    `the answer of /${command.name} could not be delivered${whyExpired(run)}`,
  );
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
      run.seal(error);
      if (text === null && !(await hasAnswered(null, run))) await endWithoutAnswer(run);
      if (text !== null && !areSentMessages(text))
        await deliver(howToShow(run), toParts(text), run);
      return;
    } catch (reason) {
      const thrown = readableError(reason);
      if (isVirguleError(thrown, 'E_INTERACTION_EXPIRED')) throw thrown;
      // The next outer handler is called after an error handler that fails.
      const message = `an error handler of /${command.name} failed: ${errorText(thrown)}`;
      run.note('error', { file: command.file, err: thrown }, message);
    }
  }
  run.seal(error);
  if (isVirguleError(error, 'E_INTERACTION_EXPIRED')) return;
  await interaction.idle();
  if (interaction.state === 'answered' && (run.hasSpoken || interaction.isAnsweredBefore)) return;
  await interaction[howToShow(run)]({ content: textFor(error, run) });
}

/** Calls an error handler. Returns its answer, or an empty list of messages instead of `undefined` if it replied itself. */
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

/** Returns the call for an error text: `write` replaces an unfinished state, `reply` follows a finished answer. */
const howToShow = ({ interaction }: CommandRun): 'write' | 'reply' =>
  interaction.isUnfinished ? 'write' : 'reply';

function textFor(error: unknown, { env, event, command: { name } }: CommandRun): string {
  const { texts, development, redact } = env;
  const where = textContext(env, event);
  if (error instanceof UserError && error.message !== '')
    return cutText(error.message, CONTENT_MAX_LENGTH);
  if (isInvalidInput(error)) return texts.inputFailure({ ...error.details, ...where });
  const end = endOf(error);
  if (end) return texts[end.text]({ name, ...where });
  if (!development) return texts.failed({ cause: undefined, ...where });
  const cause = namedErrorText(error);
  // Secrets are removed before the text is cut: half of a secret would not be found.
  return texts.failed({ cause: redact(cause).slice(0, MAX_CAUSE_LENGTH), ...where });
}

/** A run, as a lookup uses it. The signal of the lifetime is created on first use. */
type Run = Pick<CommandRun, 'env' | 'event'> & { readonly lifetime: Pick<Lifetime, 'signal'> };

/**
 * Creates a lookup of channels by name among the visible channels of the run's server (Bot Interface, Endpoints #3). The
 * channels are read for the first name, and once for all names of a line.
 */
export function createChannelLookup(run: Run): ChannelLookup {
  let reading: Promise<readonly Channel[] | null> | undefined;
  return async (name) => {
    const channels = await (reading ??= readChannels(run));
    if (!channels) return refusal('the channels of this server cannot be read now');
    const [only, ...others] = named(channels, name);
    if (!only) return refusal(`there is no channel #${shownText(name)} here that I can see`);
    if (others.length > 0)
      return refusal(`${others.length + 1} channels are called #${shownText(name)}`);
    return { found: true, id: only.id };
  };
}

async function readChannels({ env, event, lifetime }: Run): Promise<readonly Channel[] | null> {
  const { serverId } = event;
  try {
    return await env.rest.servers.channels(serverId, { signal: lifetime.signal });
  } catch (error) {
    env.log.warn({ serverId, err: error }, 'could not read the channels of a server');
    return null;
  }
}

const refusal = (why: string) =>
  ({ found: false, reason: `${why}; choose it from the list, or use its id` }) as const;

/** Returns the channels with exactly this name, or else with this name in another letter case. */
function named(channels: readonly Channel[], name: string): Channel[] {
  const exact = channels.filter((channel) => channel.name === name);
  if (exact.length > 0) return exact;
  const folded = fold(name);
  return channels.filter((channel) => fold(channel.name) === folded);
}

const fold = (text: string): string => text.normalize('NFC').toLowerCase();
