import * as z from 'zod';
import type { AttachmentRecord, InteractionRecord, MessageRecord } from './state.js';
import type { World } from './world.js';

/** The messages of a world, as plain data that can be stored in a file. */
export interface SavedWorld {
  readonly v: 1;
  /** The seed of the ids: a world with another seed does not have these channels and users. */
  readonly seed: string;
  readonly sequence: number;
  readonly messages: readonly MessageRecord[];
  /** The newest answered commands, which answers refer to. */
  readonly interactions: readonly InteractionRecord[];
  /** The bytes of files, in base64, by object key. */
  readonly files: Readonly<Record<string, string>>;
}

/** Maximum size of all files together, in bytes; the newest are kept. */
const MAX_FILES_BYTES = 8 * 1024 * 1024;
/** The number that a page shows. */
const MAX_INTERACTIONS = 200;

const emojiSchema = z.object({
  unicodeEmoji: z.string().nullable(),
  customEmojiId: z.string().nullable(),
  customEmojiName: z.string().nullable(),
});
const attachmentSchema = z.object({
  id: z.string(),
  objectKey: z.string(),
  fileName: z.string(),
  contentType: z.string(),
  sizeBytes: z.number(),
}) satisfies z.ZodType<AttachmentRecord>;
const messageSchema = z.object({
  id: z.string(),
  position: z.number(),
  channelId: z.string(),
  authorId: z.string(),
  content: z.string(),
  attachments: z.array(attachmentSchema),
  reactions: z.array(z.object({ emoji: emojiSchema, userIds: z.array(z.string()) })),
  replyToMessageId: z.string().nullable(),
  interactionId: z.string().nullable(),
  createdAtMs: z.number(),
  editedAtMs: z.number().nullable(),
  isDeleted: z.boolean(),
}) satisfies z.ZodType<MessageRecord>;
const interactionSchema = z.object({
  id: z.string(),
  serverId: z.string(),
  channelId: z.string(),
  userId: z.string(),
  commandName: z.string(),
  rawInput: z.string(),
  state: z.literal('answered'),
  wasDeferred: z.boolean(),
  hasFailed: z.boolean().default(false),
  createdAtMs: z.number(),
  deadlineMs: z.number().nullable(),
  isClosed: z.boolean(),
  responseMessageId: z.string().nullable(),
}) satisfies z.ZodType<InteractionRecord>;
const savedSchema = z.object({
  v: z.literal(1),
  seed: z.string(),
  sequence: z.number(),
  messages: z.array(messageSchema),
  interactions: z.array(interactionSchema).default([]),
  files: z.record(z.string(), z.string()),
}) satisfies z.ZodType<SavedWorld>;

/** Returns the messages of a world as plain data. */
export function saveWorld({ seed, state, blobs }: World): SavedWorld {
  const messages = [...state.messages.values()].toSorted((a, b) => a.position - b.position);
  const files: Record<string, string> = {};
  let bytes = 0;
  for (const { objectKey } of messages.toReversed().flatMap(({ attachments }) => attachments)) {
    const blob = blobs.get(objectKey);
    bytes += blob?.length ?? 0;
    if (blob && bytes <= MAX_FILES_BYTES) files[objectKey] = blob.toString('base64');
  }
  const interactions = [...state.interactions.values()]
    .filter((interaction) => interaction.state === 'answered')
    .slice(-MAX_INTERACTIONS);
  return { v: 1, seed, sequence: state.sequence, messages, interactions, files };
}

/** Replaces the messages of the seed with those of a saved world. Returns false if it is not compatible. */
export function restoreWorld(world: World, saved: unknown): boolean {
  const { data } = savedSchema.safeParse(saved);
  const { state, blobs } = world;
  const isCompatible =
    data?.seed === world.seed &&
    data.messages.every(({ channelId, authorId }) => {
      return state.channels.has(channelId) && state.users.has(authorId);
    }) &&
    data.interactions.every(({ channelId, userId }) => {
      return state.channels.has(channelId) && state.users.has(userId);
    });
  if (!isCompatible) return false;
  state.messages.clear();
  state.histories.clear();
  state.attachmentMessages.clear();
  for (const [objectKey, text] of Object.entries(data.files))
    blobs.set(objectKey, Buffer.from(text, 'base64'));
  for (const message of data.messages) world.emit({ type: 'message.created', message });
  for (const interaction of data.interactions)
    world.emit({ type: 'interaction.changed', interaction });
  // New messages must not get the ids and positions of saved ones.
  state.sequence = Math.max(state.sequence, data.sequence);
  return true;
}
