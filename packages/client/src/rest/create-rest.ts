import { resolveAddress } from '../address/resolve-address.js';
import { Caller } from '../call/caller.js';
import { createConnections } from '../http/connections.js';
import { createLimiter } from '../limits/limiter.js';
import { isSendable } from '../token/bot-token.js';
import { createUploader } from '../upload/uploader.js';
import { createApiCall } from './api-call.js';
import { createAttachmentCalls, type AttachmentCalls } from './attachments.js';
import { createChannelCalls, type ChannelCalls } from './channels.js';
import { createCommandCalls, type CommandCalls } from './commands.js';
import { createInteractionCalls, type InteractionCalls } from './interactions.js';
import { createMessageCalls, type MessageCalls } from './messages.js';
import { createReactionCalls, type ReactionCalls } from './reactions.js';
import { resolveRestOptions, type RestOptions } from './rest-options.js';
import { createServerCalls, type ServerCalls } from './servers.js';
import { createUserCalls, type UserCalls } from './users.js';
import { createVoiceCalls, type VoiceCalls } from './voice.js';

/**
 * The platform's REST interface. Every call settles once, inside its deadline, with a value or one
 * `VirguleError`:
 *
 * - `E_API_REFUSED`: the platform said no (`details.status`, `apiCode`, `field`).
 * - `E_RATE_LIMITED`: the wait the platform asks for does not fit the deadline. Shorter ones are waited for.
 * - `E_UNAUTHORIZED`: the token is refused; from then on nothing is sent.
 * - `E_TIMEOUT`, `E_ABORTED`: the deadline passed, or the caller's signal ended the call.
 * - `E_OUTCOME_UNKNOWN`: it was sent and no answer says whether it took effect.
 * - `E_UNREACHABLE`: no connection; nothing was sent.
 * - `E_BAD_RESPONSE`: the answer is not what the Bot Interface states.
 * - `E_SHUTTING_DOWN`: the client is closed.
 *
 * A request that failed on the way is sent again, up to three tries in all, when it was provably
 * not sent or when a repeat does no harm. Redirects are not followed.
 */
export interface Rest {
  readonly users: UserCalls;
  readonly servers: ServerCalls;
  readonly channels: ChannelCalls;
  readonly messages: MessageCalls;
  readonly reactions: ReactionCalls;
  readonly attachments: AttachmentCalls;
  readonly voice: VoiceCalls;
  readonly commands: CommandCalls;
  readonly interactions: InteractionCalls;
  /**
   * Refuses new calls, ends those that wait, gives those on their way 5 seconds, and drops the
   * connections. Calling it again does nothing more.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** An upload may take this many times as long as another call. */
const UPLOAD_DEADLINE_FACTOR = 10;

/**
 * Opens a REST client. Nothing is sent until the first call, which should be `users.me()`.
 *
 * @throws VirguleError `E_BAD_ADDRESS` when `baseUrl` is not an http(s) address.
 *
 * @example
 * ```ts
 * const rest = createRest({ token, baseUrl: 'https://chat.example.com' });
 * const me = await rest.users.me();
 * await rest.messages.send(channelId, { content: `Hello, I am ${me.displayName}` });
 * await rest.close();
 * ```
 */
export function createRest(options: RestOptions): Rest {
  const { token, baseUrl, clock, random, dispatcher, deadlineMs, log, profile } =
    resolveRestOptions(options);
  const address = resolveAddress('baseUrl', baseUrl, ['http:', 'https:']);
  const caller = new Caller({
    clock,
    random,
    log,
    token,
    connections: createConnections({ origin: address.origin, dispatcher }),
    limiter: createLimiter(clock),
    refused: isSendable(token) ? undefined : 'it is empty or has characters no token has',
  });
  const call = createApiCall({ caller, address, token, profile, deadlineMs });
  const upload = createUploader({
    caller,
    random,
    baseUrl,
    deadlineMs: deadlineMs * UPLOAD_DEADLINE_FACTOR,
  });
  const close = (): Promise<void> => caller.close();
  return {
    users: createUserCalls(call),
    servers: createServerCalls(call),
    channels: createChannelCalls(call),
    messages: createMessageCalls(call),
    reactions: createReactionCalls(call),
    attachments: createAttachmentCalls(call, upload),
    voice: createVoiceCalls(call),
    commands: createCommandCalls(call),
    interactions: createInteractionCalls(call),
    close,
    [Symbol.asyncDispose]: close,
  };
}
