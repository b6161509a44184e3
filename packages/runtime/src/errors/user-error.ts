import { isObject, orUndefined } from '@virgule/core/objects';

const BRAND = Symbol.for('virgule.user-error');

/**
 * An error with a message for users. When a handler or a middleware throws a `UserError`, the user sees the message
 * unchanged, and the bot has not failed. The messages of all other errors stay in the log.
 *
 * @example
 * ```ts
 * if (!(await shop.has(item))) throw new UserError(`There is no ${item} in the shop.`);
 * ```
 */
export class UserError extends Error {
  /** Brand by which two copies of this package in one process recognize each other's errors. */
  readonly [BRAND] = true;

  /** @param message - text for the user, 1 to 2000 characters. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UserError';
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // Subclasses have no separate brand.
    if (this !== UserError) return super[Symbol.hasInstance](value);
    // A revoked proxy throws.
    return isObject(value) && orUndefined(() => BRAND in value) === true;
  }
}
