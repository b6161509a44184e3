import type { BotMe } from '@virgule/core/protocol';
import type { ApiCall } from './api-call.js';
import type { CallOptions } from './rest-options.js';

/** Calls about the bot itself. */
export interface UserCalls {
  /** Who the bot is: the first call after starting, since it shows whether the token is valid (Bot Interface, Endpoints #1). */
  me(options?: CallOptions): Promise<BotMe>;
}

export function createUserCalls(call: ApiCall): UserCalls {
  return { me: (options) => call('users.me', {}, options) };
}
