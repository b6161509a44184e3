import type { BotMe } from '@virgule/core/protocol';
import type { CallOptions } from './rest-options.js';

/** Calls about the bot itself. */
export interface UserCalls {
  /** Who the bot is: the first call after starting, since it shows whether the token is valid (Bot Interface, Endpoints #1). */
  me(options?: CallOptions): Promise<BotMe>;
}
