// Bodies that the Bot Interface calls "not shown", in the form that the profile specifies.
import type { Command } from '@virgule/core/protocol';
import { messageView } from '../world/message-view.js';
import type { MessageRecord } from '../world/state.js';
import type { AnyCall } from './call.js';
import type { World } from '../world/world.js';

/** An unknown field, for profiles that send one. */
export const UNKNOWN_FIELDS = { simUnknownField: { nested: [1, 'two', null] } } as const;

/** Returns the response body of an endpoint that wrote a message. */
export function writtenMessage(
  { world, caller }: Pick<AnyCall, 'world' | 'caller'>,
  message: MessageRecord,
): unknown {
  switch (world.profile.messageResponse) {
    case 'message':
      return messageView(world, message, caller.id);
    case 'id':
      return { id: message.id };
    case 'unknown-fields':
      return { ...messageView(world, message, caller.id), ...UNKNOWN_FIELDS };
    case 'empty':
      return undefined;
  }
}

/** Returns the response body of PUT /commands. */
export function syncedCommands(world: World, commands: readonly Command[]): unknown {
  switch (world.profile.syncResponse) {
    case 'list':
      return commands;
    case 'wrapped':
      return { commands };
    case 'empty':
      return undefined;
  }
}
