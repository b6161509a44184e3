import { runtimeErrors } from '../../errors/runtime-errors.js';
import type { Author } from '../author.js';
import { infoOf } from '../command-info.js';
import type { CommandContext } from '../context/command-context.js';
import type { Answer } from '../answer/answer.js';
import type { Middleware } from './define-middleware.js';

/** Key of functions that refuse runs without an author. Two copies of this package agree on it. */
const GUARD = Symbol.for('virgule.requireAuthor');

export const needsAuthor = (run: object): boolean => GUARD in run;

/**
 * Middleware that runs a command only if its author is known, and otherwise answers with the command as a message.
 *
 * @example
 * ```ts
 * // commands/shop/_middleware.ts
 * export default requireAuthor();
 * ```
 */
export function requireAuthor(): Middleware;
/**
 * Wraps a handler or a middleware, whose `author` is then never `undefined`.
 *
 * @example
 * ```ts
 * // commands/admin/_middleware.ts
 * export default requireAuthor(({ author, env }, next) =>
 *   env.OWNERS.includes(author.id) ? next() : 'Only for owners.',
 * );
 * ```
 */
export function requireAuthor<
  Context extends CommandContext,
  Result,
  Rest extends unknown[] = [next: () => Promise<Answer>],
>(
  run: (context: Context & { readonly author: Author }, ...rest: Rest) => Result,
): (context: Context, ...rest: Rest) => Result;
export function requireAuthor(
  ...given: readonly ((context: never, next: () => Promise<Answer>) => unknown)[]
) {
  const [run] = given.length === 0 ? [passOn] : given;
  // The loader refuses what is no function: the name of a guard may be misspelled.
  if (typeof run !== 'function') return run;
  // A second guard would be ignored.
  if (given.length > 1) return undefined;
  const guarded = (context: CommandContext, next: () => Promise<Answer>): unknown => {
    authorOrThrow(context);
    // The context has an author now.
    return run(context as never, next);
  };
  // The record of a failure keeps the words of the code.
  Object.assign(guarded, { [GUARD]: true, toString: () => String(run) });
  return guarded;
}

const passOn: Middleware = (_context, next) => next();

/** Returns the author of a run. @throws VirguleError `E_AUTHOR_UNKNOWN`. */
export function authorOrThrow({ author, commands, commandName }: CommandContext): Author {
  if (author) return author;
  const usage = infoOf(commands, commandName)?.messageUsage;
  throw runtimeErrors.E_AUTHOR_UNKNOWN({ owner: `/${commandName}`, usage });
}
