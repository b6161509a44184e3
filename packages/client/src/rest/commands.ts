import type { Command, SyncCommandItem } from '@virgule/core/protocol';
import type { CallOptions } from './rest-options.js';

/** Calls about the registered commands. */
export interface CommandCalls {
  /** All registered commands (Bot Interface, Endpoints #25). */
  list(options?: CallOptions): Promise<readonly Command[]>;
  /**
   * Replaces the whole set: a command that is missing from `items` is deleted (#26).
   *
   * @returns the set as the platform has it, or `undefined` when it answers without (not shown).
   */
  replace(
    items: readonly SyncCommandItem[],
    options?: CallOptions,
  ): Promise<readonly Command[] | undefined>;
}
