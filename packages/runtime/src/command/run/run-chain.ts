import { isObject } from '@virgule/core/objects';
import { contextOf } from './create-command-context.js';
import type { Answer, AnswerStates } from '../answer/answer.js';
import { writeStates } from './write-states.js';
import { admit, type ThrottleRefusal } from '../throttle/throttle.js';
import { textContext } from '../environment.js';
import type { CommandRun } from './command-run.js';

/** Runs the middleware, the throttles and the handler. Returns the answer without a promise if it is available synchronously. */
export function runChain(run: CommandRun): Answer | Promise<Answer> {
  const { command } = run;
  if (command.middleware.length > 0) return run.waitFor(runMiddleware(run), run.env.clock);
  if (command.throttles.length > 0) return run.waitFor(runThrottled(run), run.env.clock);
  const returned = command.run(contextOf(run));
  if (isStates(returned)) return run.waitFor(writeStates(returned, run), run.env.clock);
  return isThenable(returned) ? run.waitFor(awaited(returned, run), run.env.clock) : returned;
}

async function runMiddleware(run: CommandRun): Promise<Answer> {
  const { command, interaction } = run;
  const context = contextOf(run);

  const step = async (index: number): Promise<Answer> => {
    const middleware = command.middleware[index];
    if (!middleware) return runThrottled(run);
    let inside: Promise<Answer> | undefined;
    let isSettled = false;
    let isOver = false;
    let answer: Answer;
    const next = (): Promise<Answer> => {
      if (!inside) {
        if (isOver) {
          const message = `a middleware of /${command.name} called next() after it had ended; nothing runs then`;
          run.note('warn', {}, message);
          return Promise.resolve(undefined);
        }
        inside = step(index + 1);
        inside.then(
          (result) => {
            isSettled = true;
            answer = result;
          },
          () => void (isSettled = true),
        );
      }
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
    if (inside && (!isSettled || isSilent)) answer = await inside;
    return given === undefined ? answer : given;
  };

  return step(0);
}

/** Runs the handler if nothing throttles the command; else returns the refusal for the user. */
async function runThrottled(run: CommandRun): Promise<Answer> {
  const { command, env, timings } = run;
  const startMs = timings ? env.clock.monotonic() : 0;
  const refusal = command.throttles.length > 0 ? await admit(run) : undefined;
  if (refusal) return showRefusal(refusal, run);
  const enteredMs = timings ? env.clock.monotonic() : 0;
  try {
    const returned = command.run(contextOf(run));
    return isStates(returned) ? await writeStates(returned, run) : await awaited(returned, run);
  } finally {
    if (timings) {
      timings.handlerMs = env.clock.monotonic() - enteredMs;
      timings.chainQueueMs = enteredMs - startMs;
    }
  }
}

/** Records that a command is throttled, and returns the answer for the user. */
function showRefusal(refusal: ThrottleRefusal, run: CommandRun): Answer {
  const { texts } = run.env;
  const facts = { name: run.command.name, ...textContext(run.env, run.event) };
  run.result = refusal.kind;
  run.refusal = refusal.kind;
  if (refusal.kind === 'cooldown') return texts.cooldown({ ...facts, leftMs: refusal.leftMs });
  if (!refusal.silently) return texts.tooBusy(facts);
  run.silentText = texts.tooBusy(facts);
  return null;
}

/** Waits for a handler. An `async` function may return a generator, against the types. */
async function awaited(returned: Answer | Promise<Answer>, run: CommandRun): Promise<Answer> {
  const result = await returned;
  return isStates(result) ? writeStates(result, run) : result;
}

function isThenable(value: unknown): value is Promise<Answer> {
  return isObject(value) && 'then' in value;
}

function isStates(value: unknown): value is AnswerStates {
  return (
    isObject(value) &&
    'next' in value &&
    (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}
