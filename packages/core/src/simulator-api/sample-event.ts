import type { EventName, EventPayloads } from '../protocol/gateway.js';
import type { SimVoice, SimUser } from './simulator-api.js';

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

/** The ids and names of a sample; missing ids are created. */
export interface EventScene {
  readonly serverId?: string | undefined;
  readonly channelId?: string | undefined;
  readonly user?: Pick<SimUser, 'id' | 'username' | 'displayName'> | undefined;
  readonly messageId?: string | undefined;
  readonly voice?: Pick<SimVoice, 'channelId' | 'participants'> | undefined;
  /** Name of a command. */
  readonly command?: string | undefined;
  readonly nowMs: number;
  readonly newId: () => string;
}

/** Returns the properties of a plain message, except the ids of its channel and server. */
export const sampleMessage = (
  id: string,
  authorId: string,
  user: EventScene['user'],
  nowMs: number,
) => ({
  id,
  authorId,
  authorUsername: user?.username ?? '',
  authorDisplayName: user?.displayName ?? '',
  authorAvatarUrl: null,
  replyTo: null,
  content: 'Hello',
  attachments: [],
  linkPreview: null,
  reactions: [],
  poll: null,
  forwardedFrom: null,
  editedAt: null,
  pinnedAt: null,
  pinnedByUserId: null,
  isDeleted: false,
  createdAt: new Date(nowMs).toISOString(),
});

/** Returns a payload of an event; `undefined` for an unknown event. */
export function sampleEvent(name: string, scene: EventScene): object | undefined {
  const { user, voice, command = 'hello', nowMs, newId } = scene;
  const ids = { serverId: scene.serverId ?? newId(), channelId: scene.channelId ?? newId() };
  const userId = user?.id ?? newId();
  const messageId = scene.messageId ?? newId();
  const reaction = { userId, emoji: { kind: 'unicode', unicodeEmoji: '👍' }, count: 1 };
  switch (name) {
    case 'MESSAGE_CREATE':
    case 'MESSAGE_UPDATE':
      return {
        ...ids,
        ...sampleMessage(name === 'MESSAGE_CREATE' ? newId() : messageId, userId, user, nowMs),
        editedAt: name === 'MESSAGE_CREATE' ? null : new Date(nowMs).toISOString(),
      } satisfies EventPayloads['MESSAGE_CREATE' | 'MESSAGE_UPDATE'];
    case 'MESSAGE_DELETE':
      return { ...ids, messageId } satisfies EventPayloads['MESSAGE_DELETE'];
    case 'MESSAGE_REACTION_ADD':
    case 'MESSAGE_REACTION_REMOVE':
      return { ...ids, messageId, ...reaction } satisfies EventPayloads['MESSAGE_REACTION_ADD'];
    case 'VOICE_STATE_UPDATE':
      return {
        ...ids,
        channelId: voice?.channelId ?? newId(),
        userId,
        participants: voice?.participants ?? [],
      } satisfies EventPayloads['VOICE_STATE_UPDATE'];
    case 'APPLICATION_COMMAND':
      return {
        interactionId: newId(),
        ...ids,
        name: command,
        rawInput: `/${command}`,
      } satisfies EventPayloads['APPLICATION_COMMAND'];
    default:
      return undefined;
  }
}
