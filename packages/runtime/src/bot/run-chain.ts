import type { Answer, AnswerStates } from '../define/answer.js';
import { writeStates } from '../interaction/answer-stream.js';
import { completeState, showState } from '../interaction/deliver.js';
import type { CommandRun } from './command-run.js';

/** Runs the middleware around the handler, outermost first. Gives what is to be the answer: at once, when it is there at once. */
export function runChain(run: CommandRun): Answer | Promise<Answer> {
  const { command, context } = run;
  if (command.middleware.length > 0) return run.waitFor(runMiddleware(run));
  const returned = command.run(context);
  if (isStates(returned)) return run.waitFor(writeAll(returned, run));
  return isThenable(returned) ? run.waitFor(returned) : returned;
}

async function runMiddleware(run: CommandRun): Promise<Answer> {
  const { command, context, interaction, env, timings } = run;
  let result: Answer;

  const handle = async (): Promise<void> => {
    const startMs = env.clock.monotonic();
    const returned = command.run(context);
    result = isStates(returned) ? await writeAll(returned, run) : await returned;
    timings?.handlerTook(env.clock.monotonic() - startMs);
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

  await step(0);
  return result;
}

function writeAll(states: AnswerStates, run: CommandRun): Promise<Answer> {
  const { env, signal } = run;
  return writeStates(states, {
    write: (parts, left) => showState(parts, left, run),
    complete: (parts) => completeState(parts, run),
    onWriting: (written) => void (run.statesWritten = written),
    pursue: (call, options) => run.interaction.pursue(call, options),
    clock: env.clock,
    intervalMs: env.profile.editIntervalMs,
    signal,
  });
}

function isThenable(value: unknown): value is Promise<Answer> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

function isStates(value: unknown): value is AnswerStates {
  return (
    typeof value === 'object' &&
    value !== null &&
    'next' in value &&
    (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}
