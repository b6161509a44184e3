import { readableError } from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';
import { areSentMessages } from '../answer/sent-message.js';
import {
  answerOf,
  toParts,
  type Answer,
  type AnswerStates,
  type MessageInput,
} from '../answer/answer.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { type ParsedInput, parseRawInput } from '../raw-input/parse-raw-input.js';
import type { BotEnvironment } from '../environment.js';
import { admit, refuse } from '../throttle/throttle.js';
import { CommandRun, workOf, type CommandRunInit } from './command-run.js';
import { createChannelLookup } from './look-up-channel.js';
import { fail, logUndelivered } from './show-failure.js';
import { deliver, endWithoutAnswer, hasAnswered } from './write-answer.js';
import { writeStates } from './write-states.js';
import { contextOf } from './create-command-context.js';

/** Starts a run inside the observers of the bot, and records it if the bot has the setting `failed`. */
export function startRun(init: CommandRunInit, base: BotEnvironment, run = runCommand) {
  const { command, event, receivedAtMs } = init;
  const { message } = event as { readonly message?: unknown };
  const recorded = base.recorder?.open(base, {
    kind: 'command',
    name: `/${command.name}`,
    t: message ? 'MESSAGE_CREATE' : 'APPLICATION_COMMAND',
    d: message ?? event,
    receivedAtMs,
    handler: command,
  });
  const env = recorded ?? base;
  if (!env.observed) return run(init, env);
  const work = workOf(init);
  return env.observed.around(work, () => run({ ...init, work }, env));
}

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
      const { rawInput } = run.event;
      // Only a name has this character.
      const lookUp = rawInput.includes('#') ? createChannelLookup(run) : undefined;
      const parsing =
        init.refused ?? parseRawInput(rawInput, command, lookUp, env.isAttachment, run.author);
      const parsed = parsing instanceof Promise ? await run.waitFor(parsing) : parsing;
      run.options = optionsOf(parsed, run);
      if (timings) timings.parseMs = timings.lap();
      let result: Answer;
      try {
        const given = runChain(run);
        result = answerOf(given instanceof Promise ? await given : given);
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
      const { messages } = run.interaction;
      if (!messages.isSettled) await run.waitFor(messages.settled());
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

function optionsOf(parsed: ParsedInput, run: CommandRun): Readonly<Record<string, unknown>> {
  if (parsed.ok) return parsed.options;
  const { failure } = parsed;
  if (failure.kind === 'crashed') throw failure.cause;
  const { name } = run.command;
  const usage = failure.usage.replace(`/${name}`, () => run.typed);
  const message = failure.message.replace(failure.usage, () => usage);
  throw runtimeErrors.E_INPUT({ commandName: name, ...failure, usage, message });
}

function writeAnswer(result: MessageInput, run: CommandRun): Promise<unknown> {
  const parts = toParts(result);
  // Most answers are one string and take the short path. Uploads take long, so they are watched.
  return parts.files || parts.split
    ? run.waitFor(deliver('write', parts, run))
    : run.interaction.write(parts);
}

/** Runs the middleware, the throttles and the handler. Returns the answer without a promise if it is available synchronously. */
function runChain(run: CommandRun): Answer | Promise<Answer> {
  const { command } = run;
  // Inside itself, a command would wait for its own slot, or run without end.
  if (run.init.around?.includes(command.name)) return refuse('busy', run);
  if (command.middleware.length > 0) return run.waitFor(runMiddleware(run), run.env.clock);
  if (command.throttles.length > 0) return run.waitFor(runThrottled(run), run.env.clock);
  const returned = callHandler(run);
  return returned instanceof Promise ? run.waitFor(returned, run.env.clock) : returned;
}

/** Calls the handler. Returns the answer without a promise if it is available synchronously. */
function callHandler(run: CommandRun): Answer | Promise<Answer> {
  const returned = run.command.run(contextOf(run));
  if (isStates(returned)) return writeStates(returned, run);
  return isObject(returned) && 'then' in returned ? awaited(returned, run) : returned;
}

async function runMiddleware(run: CommandRun): Promise<Answer> {
  const { command, env, interaction } = run;
  const context = contextOf(run);

  const step = async (index: number): Promise<Answer> => {
    const middleware = command.middleware[index];
    if (!middleware) return runThrottled(run);
    let inside: Promise<Answer> | undefined;
    let isSettled = false;
    let isOver = false;
    const settle = (): void => void (isSettled = true);
    const next = (): Promise<Answer> => {
      if (!inside && isOver) {
        const message = `a middleware of /${command.name} called next() after it had ended; nothing runs then`;
        return Promise.resolve(interaction.note('warn', {}, message));
      }
      if (!inside) (inside = step(index + 1)).then(settle, settle);
      return inside;
    };
    let given: Answer;
    try {
      given = await middleware(context, next);
    } finally {
      isOver = true;
    }
    // A forgotten `await next()` must lose neither the inner answer nor the inner error.
    const isSilent = given === undefined && interaction.state !== 'answered';
    if (!inside && isSilent && interaction.messages.isSettled && env.development) {
      const message = `a middleware of /${command.name} neither called next() nor answered`;
      interaction.note('warn', { file: command.file }, message);
      return null;
    }
    const mayFail = !isSettled || isSilent;
    const answer = await (mayFail ? inside : inside?.catch(() => undefined));
    return given === undefined ? answer : given;
  };

  return step(0);
}

/** Runs the handler if nothing throttles the command; else returns the refusal for the user. */
async function runThrottled(run: CommandRun): Promise<Answer> {
  const { command, env, timings } = run;
  const startMs = timings ? env.clock.monotonic() : 0;
  const refusal = command.throttles.length > 0 ? await admit(run) : undefined;
  if (refusal !== undefined) return refusal;
  const enteredMs = timings ? env.clock.monotonic() : 0;
  try {
    return await callHandler(run);
  } finally {
    if (timings) {
      timings.handlerMs = env.clock.monotonic() - enteredMs;
      timings.chainQueueMs = enteredMs - startMs;
    }
  }
}

/** Waits for a handler. An `async` function may return a generator, against the types. */
async function awaited(returned: Answer | Promise<Answer>, run: CommandRun): Promise<Answer> {
  const result = await returned;
  return isStates(result) ? writeStates(result, run) : result;
}

function isStates(value: unknown): value is AnswerStates {
  return (
    isObject(value) &&
    'next' in value &&
    (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}
