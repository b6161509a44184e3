import type { CommandContext } from '../context/command-context.js';
import type { Answer, AnswerStates } from '../define/answer.js';
import { raceAbort, writeStates } from '../interaction/answer-stream.js';
import type { Interaction } from '../interaction/interaction.js';
import type { Command } from '../load/project.js';
import type { CommandEnvironment } from './command-environment.js';

/** Runs the middleware around the handler, outermost first. Gives what is to be the answer. */
export async function runChain(
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

function isStates(value: unknown): value is AnswerStates {
  return (
    typeof value === 'object' &&
    value !== null &&
    'next' in value &&
    (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}
