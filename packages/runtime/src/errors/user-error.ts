import { isObject } from '@virgule/core/objects';

const BRAND = Symbol.for('virgule.user-error');

/**
 * An error whose message is for users: thrown by a handler or a middleware, it is shown as it is, and is
 * no failure of the bot. The messages of all other errors stay in the log.
 *
 * @example
 * ```ts
 * if (!(await shop.has(item))) throw new UserError(`There is no ${item} in the shop.`);
 * ```
 */
export class UserError extends Error {
  /** Two copies of this package in one process recognize each other's errors. */
  readonly [BRAND] = true;

  /** @param message - shown to the user, 1 to 2000 characters. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UserError';
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // Subclasses have no brand of their own.
    if (this !== UserError) return super[Symbol.hasInstance](value);
    if (!isObject(value)) return false;
    try {
      return BRAND in value;
    } catch {
      // A revoked proxy, or one that throws.
      return false;
    }
  }
}
