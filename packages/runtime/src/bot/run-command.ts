import { setMaxListeners } from 'node:events';
import type { Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { ApplicationCommandEvent, Profile } from '@virgule/core/protocol';
import type { CommandContext } from '../context/command-context.js';
import { createCommandContext } from '../context/create-command-context.js';
import { toParts, type Answer, type AnswerStates } from '../define/answer.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { raceAbort, writeStates } from '../interaction/answer-stream.js';
import type { Deadlines } from '../interaction/deadlines.js';
import { Interaction } from '../interaction/interaction.js';
import type { Command } from '../load/project.js';
import { parseRawInput } from '../raw-input/parse-raw-input.js';

/** What every run of a command needs from its bot. */
export interface CommandEnvironment {
  readonly rest: Rest;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly profile: Profile;
  readonly deadlines: Deadlines;
  /** Whether users are shown the cause of an error, and developers are warned of silences. */
  readonly development: boolean;
  /** Shown when a deferred command turns out to have no answer: nothing else ends the thinking state. */
  readonly silentText: string;
  /** Aborted at shutdown. */
  readonly signal: AbortSignal;
  /** Tells the `error` events. */
  readonly onError: (error: unknown, during: string) => void;
}

/** How late a defer may be before the event loop is blamed, in milliseconds. */
const LATE_MS = 200;

/** Runs one command from its receipt to the one visible outcome. Never rejects. */
export async function runCommand(
  command: Command,
  event: ApplicationCommandEvent,
  receivedAtMs: number,
  env: CommandEnvironment,
): Promise<void> {
  const { rest, clock, log, profile } = env;
  const interaction = new Interaction({
    id: event.interactionId,
    commandName: command.name,
    calls: rest.interactions,
    profile,
    log,
  });
  const abort = new AbortController();
  // A handler may send many messages at a time, each with this signal.
  setMaxListeners(0, abort.signal);
  const onShutdown = (): void => abort.abort(env.signal.reason);
  env.signal.addEventListener('abort', onShutdown, { once: true });
  const stopDefer = deferInTime(command, interaction, receivedAtMs, env);
  const stopTimeout = env.deadlines.add(receivedAtMs + command.timeoutMs, () =>
    abort.abort(
      runtimeErrors.E_COMMAND_TIMEOUT({ commandName: command.name, timeoutMs: command.timeoutMs }),
    ),
  );

  let failure: { readonly error: unknown } | undefined;
  let context: CommandContext | undefined;
  // After a failure, whatever the handler still does in the background must not write over its last word.
  let isOver = false;
  const over = (): typeof failure => (isOver ? failure : undefined);
  try {
    try {
      const { name, spec } = command;
      const parsing = parseRawInput(event.rawInput, { name, spec });
      const parsed = parsing instanceof Promise ? await raceAbort(parsing, abort.signal) : parsing;
      if (parsed.ok) {
        const { options } = parsed;
        const { signal } = abort;
        context = createCommandContext({ ...env, event, options, interaction, signal, over });
        const result = await runChain(command, context, interaction, signal, env);
        await answer(result, interaction, command, env);
      } else {
        await interaction.write({ content: parsed.failure.message });
        if (parsed.failure.kind === 'crashed') failure = { error: parsed.failure.cause };
        if (failure) logFailure(failure.error, command, event, log);
      }
    } catch (error) {
      failure = { error };
      logFailure(error, command, event, log);
      await tellUser(error, command, context, interaction, env, () => {
        isOver = true;
      });
    }
  } catch (error) {
    // The outcome itself could not be shown: the platform refused it, or it is out of reach.
    failure ??= { error };
    log.error(
      {
        command: command.name,
        interactionId: event.interactionId,
        state: interaction.state,
        err: error,
      },
      `The answer of /${command.name} could not be delivered.`,
    );
  } finally {
    stopDefer();
    stopTimeout();
    env.signal.removeEventListener('abort', onShutdown);
    isOver = true;
    // Whatever the handler still does in the background learns that its command is over.
    abort.abort();
    if (failure) env.onError(failure.error, `/${command.name}`);
    log.info(
      {
        command: command.name,
        outcome: interaction.state,
        ms: Math.round(clock.monotonic() - receivedAtMs),
      },
      `/${command.name} ${failure ? 'failed' : interaction.state}`,
    );
  }
}

function logFailure(
  error: unknown,
  { name, file }: Command,
  { interactionId }: ApplicationCommandEvent,
  log: Log,
): void {
  log.error(
    { command: name, file, interactionId, err: error },
    `/${name} failed: ${textOf(error)}`,
  );
}

function deferInTime(
  command: Command,
  interaction: Interaction,
  receivedAtMs: number,
  env: CommandEnvironment,
) {
  const { deferAfterMs, silent } = command;
  if (deferAfterMs === null) return () => {};
  const dueMs = receivedAtMs + deferAfterMs;
  const fire = (): void => {
    const lateMs = Math.round(env.clock.monotonic() - dueMs);
    if (lateMs > LATE_MS) {
      env.log.warn(
        { command: command.name, lateMs },
        `The event loop was busy: /${command.name} is deferred ${lateMs} ms late.`,
      );
    }
    (silent ? interaction.acknowledge() : interaction.defer()).catch((error: unknown) => {
      env.log.warn(
        { command: command.name, err: error },
        `/${command.name} could not be deferred.`,
      );
    });
  };
  if (deferAfterMs === 0) {
    fire();
    return () => {};
  }
  return env.deadlines.add(dueMs, fire);
}

/** Runs the middleware around the handler, outermost first. Gives what is to be the answer. */
async function runChain(
  command: Command,
  context: CommandContext,
  interaction: Interaction,
  signal: AbortSignal,
  env: CommandEnvironment,
): Promise<Answer> {
  let result: Answer;

  const handle = async (): Promise<void> => {
    const returned = command.run(context);
    result = isStates(returned)
      ? await writeStates(returned, {
          write: (parts) => interaction.write(parts),
          clock: env.clock,
          intervalMs: env.profile.editIntervalMs,
          signal,
        })
      : await returned;
  };

  const step = async (index: number): Promise<void> => {
    const middleware = command.middleware[index];
    if (!middleware) return handle();
    let inside: Promise<void> | undefined;
    let settled = false;
    const next = (): Promise<void> => {
      if (!inside) {
        inside = step(index + 1);
        const onSettled = (): void => void (settled = true);
        inside.then(onSettled, onSettled);
      }
      return inside;
    };
    const refusal = await middleware(context, next);
    // A forgotten `await next()` must lose neither what is inside nor what it throws.
    const isSilent = refusal === undefined && interaction.state !== 'answered';
    if (!settled || isSilent) await inside;
    if (refusal !== undefined) result = refusal;
  };

  await raceAbort(step(0), signal);
  return result;
}

async function answer(
  result: Answer,
  interaction: Interaction,
  command: Command,
  env: CommandEnvironment,
) {
  if (result !== undefined && result !== null) {
    await interaction.write(toParts(result));
    return;
  }
  // A reply that was not awaited counts too: it answers, or it is why there is no answer.
  await interaction.idle();
  if (interaction.state === 'answered') return;
  if (result === undefined && interaction.failure) throw interaction.failure.error;
  if (result === undefined && env.development && !command.silent) {
    env.log.warn(
      { command: command.name, file: command.file },
      `/${command.name} ended without an answer. Return a text, or null if silence is meant.`,
    );
  }
  await interaction.acknowledge();
  if (interaction.state === 'deferred') await interaction.write({ content: env.silentText });
}

/** Shows an error to the user unless the answer is there already, in the words of the nearest `_error.ts` that has some. */
async function tellUser(
  error: unknown,
  command: Command,
  context: CommandContext | undefined,
  interaction: Interaction,
  env: CommandEnvironment,
  silenceHandler: () => void,
): Promise<void> {
  if (context) {
    for (const handler of command.errorHandlers) {
      try {
        const text = await handler(error, context);
        if (text === undefined) continue;
        silenceHandler();
        if (text === null) await answer(null, interaction, command, env);
        else await interaction.reply(toParts(text));
        return;
      } catch (thrown) {
        if (isVirguleError(thrown, 'E_INTERACTION_EXPIRED')) throw thrown;
        // One that fails has no words: the next outer one is asked.
        env.log.error(
          { command: command.name, file: command.file, err: thrown },
          `An error handler of /${command.name} failed: ${textOf(thrown)}`,
        );
      }
    }
  }
  silenceHandler();
  if (isVirguleError(error, 'E_INTERACTION_EXPIRED')) return;
  await interaction.idle();
  if (interaction.state !== 'answered')
    await interaction.write({ content: errorText(error, env.development) });
  else if (env.development) await interaction.reply({ content: errorText(error, true) });
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function errorText(error: unknown, development: boolean): string {
  if (isVirguleError(error, 'E_COMMAND_TIMEOUT'))
    return 'This took too long. Please try again later.';
  if (isVirguleError(error, 'E_HANDLER_STOPPED'))
    return 'The bot is restarting. Please try again in a moment.';
  if (!development) return 'Something went wrong.';
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `Something went wrong. ${cause}`.slice(0, 500);
}

function isStates(value: unknown): value is AnswerStates {
  return (
    typeof value === 'object' &&
    value !== null &&
    'next' in value &&
    (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}
