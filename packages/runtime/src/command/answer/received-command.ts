import type { CallPriority } from '@virgule/client/rest';
import type { QueuedDelivery } from '../gateway-port.js';
import type { OpenInteraction } from '../interaction-journal.js';
import type { InteractionState } from './transitions.js';

/** Caller of a command: a slash, a message with its prefix, code by `call`, or a language model. */
export type Caller = 'slash' | 'message' | 'code' | 'model';

/** A command as it was received. */
export interface ReceivedCommand {
  readonly event: Pick<OpenInteraction, 'interactionId' | 'serverId' | 'channelId' | 'name'>;
  /** Command that runs: the event may name an alias of it. @defaultValue no command runs */
  readonly command?: { readonly name: string };
  /** Start of the answer windows: a reading of `Clock.monotonic()`. */
  readonly receivedAtMs: number;
  /** State in which another process left the answer. @defaultValue no other process had it */
  readonly opened?: Exclude<InteractionState, 'received' | 'expired' | 'failed'> | undefined;
  /** `background` if the calls of other interactions go first. @defaultValue `awaited` */
  readonly priority?: CallPriority | undefined;
  /** Queue that delivered the command, or an object with the same members. */
  readonly queued?: Pick<QueuedDelivery, 'followingUp' | 'isOwn' | 'trace'> | undefined;
  /** Message that runs the command, and the id of the answer that an ended process has left; `undefined` for other callers. */
  readonly message?: OpenInteraction['message'];
}
