import type { EventName, EventPayloads } from '@virgule/core/protocol';
import type { SimMessage } from '@virgule/core/simulator-api';
import type { World } from './world.js';
import type { Place } from './place.js';

/** The events of the platform, the most frequent first. */
export const EVENT_NAMES = [
  'MESSAGE_CREATE',
  'MESSAGE_UPDATE',
  'MESSAGE_DELETE',
  'MESSAGE_REACTION_ADD',
  'MESSAGE_REACTION_REMOVE',
  'VOICE_STATE_UPDATE',
  'APPLICATION_COMMAND',
] as const satisfies readonly EventName[];

/** What payloads refer to. */
export interface EventScene {
  readonly world: World;
  readonly place: Place;
  /** The last message of the open channel. */
  readonly message: SimMessage | undefined;
  readonly nowMs: number;
  readonly newId: () => string;
}

/** Returns a payload of an event, with the ids of what the page shows; an empty one for an unknown event. */
export function sampleEvent(name: string, scene: EventScene): object {
  const { world, place, message, nowMs, newId } = scene;
  const ids = { serverId: place.server?.id ?? newId(), channelId: place.channel?.id ?? newId() };
  const userId = place.user?.id ?? newId();
  const messageId = message?.id ?? newId();
  const reaction = { userId, emoji: { kind: 'unicode', unicodeEmoji: '👍' }, count: 1 };
  switch (name) {
    case 'MESSAGE_CREATE':
    case 'MESSAGE_UPDATE':
      return {
        ...ids,
        id: name === 'MESSAGE_CREATE' ? newId() : messageId,
        authorId: userId,
        authorUsername: place.user?.username ?? '',
        authorDisplayName: place.user?.displayName ?? '',
        authorAvatarUrl: null,
        replyTo: null,
        content: 'Hello',
        attachments: [],
        linkPreview: null,
        reactions: [],
        poll: null,
        forwardedFrom: null,
        editedAt: name === 'MESSAGE_CREATE' ? null : new Date(nowMs).toISOString(),
        pinnedAt: null,
        pinnedByUserId: null,
        isDeleted: false,
        createdAt: new Date(nowMs).toISOString(),
      } satisfies EventPayloads['MESSAGE_CREATE' | 'MESSAGE_UPDATE'];
    case 'MESSAGE_DELETE':
      return { ...ids, messageId } satisfies EventPayloads['MESSAGE_DELETE'];
    case 'MESSAGE_REACTION_ADD':
    case 'MESSAGE_REACTION_REMOVE':
      return { ...ids, messageId, ...reaction } satisfies EventPayloads['MESSAGE_REACTION_ADD'];
    case 'VOICE_STATE_UPDATE': {
      const voice = [...world.voice.values()][0];
      const channelId = voice?.channelId ?? newId();
      const participants = voice?.participants ?? [];
      return {
        ...ids,
        channelId,
        userId,
        participants,
      } satisfies EventPayloads['VOICE_STATE_UPDATE'];
    }
    case 'APPLICATION_COMMAND': {
      const command = world.commands[0]?.name ?? 'hello';
      return {
        interactionId: newId(),
        ...ids,
        name: command,
        rawInput: `/${command}`,
      } satisfies EventPayloads['APPLICATION_COMMAND'];
    }
    default:
      return {};
  }
}
