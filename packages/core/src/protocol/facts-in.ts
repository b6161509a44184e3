// Members of a profile that one response, refusal, event or frame shows.
import { messageSchema } from './messages.js';
import type { Profile } from './profile.js';

/** Values of a profile by member, those of groups in the form `heartbeat.intervalMs`. */
export type Facts = Readonly<Record<string, unknown>>;

const MESSAGE_FIELDS = [...Object.keys(messageSchema.shape), 'serverId'];

/** Functions that read facts from the fields of a body, by the name of its endpoint, error, event or frame. */
const READERS = new Map<string, (fields: Facts, body: unknown) => Facts>(
  Object.entries({
    HELLO: ({ heartbeatInterval }) => ({ 'heartbeat.intervalMs': heartbeatInterval }),
    MESSAGE_CREATE: (fields) => ({ messageEvent: messageEventOf(fields) }),
    APPLICATION_COMMAND: ({ userId, user }) => ({
      commandUser: typeof userId === 'string' ? 'userId' : Object(user).id ? 'user.id' : 'absent',
    }),
    // Specified is the kind of a custom emoji.
    MESSAGE_REACTION_ADD: ({ emoji }) => ({
      unicodeEmojiKind: Object(emoji).unicodeEmoji ? Object(emoji).kind : undefined,
    }),
    'error bot_validation_error': ({ status }) => ({ 'refusals.validationStatus': status }),
    'attachments.openUpload': ({ maxBytes, fields }) => ({
      uploadMaxBytes: maxBytes,
      uploadMethod: Object.keys(Object(fields)).length > 0 ? 'POST' : 'PUT',
    }),
    'commands.replace': (_, body) => ({ syncResponse: syncFormOf(body) }),
    'messages.list': ({ messages }) => ({ pageMax: Object(messages).length }),
    'messages.send': (_, body) => ({ messageResponse: messageFormOf(body) }),
  }),
);

/** Returns the facts that a body shows. */
export const factsIn = (name: string, body: unknown): Facts =>
  READERS.get(name)?.(Object(body), body) ?? {};

function messageFormOf(body: unknown): Profile['messageResponse'] | undefined {
  const keys = Object.keys(Object(body));
  if (!keys.every((key) => MESSAGE_FIELDS.includes(key))) return 'unknown-fields';
  if (body === undefined) return 'empty';
  if (keys.length === 0) return undefined;
  return keys.join('') === 'id' ? 'id' : 'message';
}

function messageEventOf(event: Facts): Profile['messageEvent'] {
  if (messageFormOf(event) === 'unknown-fields') return 'unknown-fields';
  return 'serverId' in event ? 'with-server-id' : 'without-server-id';
}

function syncFormOf(body: unknown): Profile['syncResponse'] | undefined {
  if (body === undefined) return 'empty';
  if (Array.isArray(body)) return 'list';
  return Array.isArray(Object(body).commands) ? 'wrapped' : undefined;
}
