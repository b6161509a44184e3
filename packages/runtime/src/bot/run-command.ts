import { setMaxListeners } from 'node:events';
import type { Log } from '@virgule/core/log';
import type { ApplicationCommandEvent } from '@virgule/core/protocol';
import type { CommandContext } from '../context/command-context.js';
import { createCommandContext } from '../context/create-command-context.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { raceAbort } from '../interaction/answer-stream.js';
import { Interaction } from '../interaction/interaction.js';
import type { Command } from '../load/project.js';
import { parseRawInput } from '../raw-input/parse-raw-input.js';
import type { CommandEnvironment } from './command-environment.js';
import { giveAnswer } from './give-answer.js';
import { runChain } from './run-chain.js';
import { tellUser, textOf } from './tell-user.js';

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
        await giveAnswer(result, interaction, command, env);
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
