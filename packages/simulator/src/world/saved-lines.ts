// The file format of a saved world: lines of JSON, each complete in itself. The first one names the seed; every other
// one is a change. A line that is not valid is skipped: the last one of a killed process may be incomplete.
import * as z from 'zod';
import type { Change } from './change.js';
import type {
  AttachmentRecord,
  ChannelRecord,
  EmojiKey,
  InteractionRecord,
  MessageRecord,
  RoleRecord,
  ServerRecord,
  UserRecord,
} from './state.js';

const emojiSchema = z.object({
  unicodeEmoji: z.string().nullable(),
  customEmojiId: z.string().nullable(),
  customEmojiName: z.string().nullable(),
}) satisfies z.ZodType<EmojiKey>;
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
  botUserId: z.string(),
  serverId: z.string(),
  channelId: z.string(),
  userId: z.string(),
  commandName: z.string(),
  rawInput: z.string(),
  state: z.literal('answered'),
  wasDeferred: z.boolean(),
  hasCall: z.boolean(),
  hasFailed: z.boolean(),
  createdAtMs: z.number(),
  deadlineMs: z.number().nullable(),
  isClosed: z.boolean(),
  responseMessageId: z.string().nullable(),
}) satisfies z.ZodType<InteractionRecord>;

const userSchema = z.object({
  id: z.string(),
  username: z.string(),
  displayName: z.string(),
  isBot: z.boolean(),
  role: z.string(),
}) satisfies z.ZodType<UserRecord>;
const serverSchema = z.object({
  id: z.string(),
  name: z.string(),
  ownerId: z.string(),
  botIds: z.array(z.string()),
  memberIds: z.array(z.string()),
}) satisfies z.ZodType<ServerRecord>;
const channelSchema = z.object({
  id: z.string(),
  serverId: z.string(),
  name: z.string(),
  kind: z.enum(['text', 'voice']),
  position: z.number(),
  topic: z.string().nullable(),
  visibleToBot: z.boolean(),
  botPermissions: z.array(z.enum(['ManageMessages', 'ManageReactions'])),
}) satisfies z.ZodType<ChannelRecord>;
const roleSchema = z.object({
  id: z.string(),
  serverId: z.string(),
  name: z.string(),
  memberIds: z.array(z.string()),
}) satisfies z.ZodType<RoleRecord>;

/** The bytes of files, in base64, by object key. */
const filesSchema = z.record(z.string(), z.string());

/** A change of the world that a file keeps. */
const changeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message.created'), message: messageSchema }),
  z.object({
    type: z.literal('message.edited'),
    messageId: z.string(),
    content: z.string(),
    editedAtMs: z.number(),
  }),
  z.object({ type: z.literal('message.deleted'), messageId: z.string() }),
  z.object({
    type: z.literal('messages.forgotten'),
    channelId: z.string(),
    count: z.int().nonnegative(),
  }),
  z.object({
    type: z.enum(['reaction.added', 'reaction.removed']),
    messageId: z.string(),
    userId: z.string(),
    emoji: emojiSchema,
  }),
  z.object({ type: z.literal('user.saved'), user: userSchema }),
  z.object({ type: z.literal('server.saved'), server: serverSchema }),
  z.object({ type: z.literal('channel.saved'), channel: channelSchema }),
  z.object({ type: z.literal('role.saved'), role: roleSchema }),
  z.object({
    type: z.enum(['user.removed', 'server.removed', 'channel.removed', 'role.removed']),
    id: z.string(),
  }),
  z.object({ type: z.literal('interaction.changed'), interaction: interactionSchema }),
]) satisfies z.ZodType<Change>;
export type SavedChange = z.output<typeof changeSchema>;

/** The state after a change, so that new ids and positions differ from those of earlier runs. */
const sequenceSchema = z.object({ sequence: z.number(), files: filesSchema.optional() });
const headerSchema = z.object({ v: z.literal(1), seed: z.string(), sequence: z.number() });

interface SavedEntry {
  readonly change: SavedChange;
  readonly files: Readonly<Record<string, string>>;
}

export interface SavedWorld {
  /** The seed of the ids: a world with another seed does not have these channels and users. */
  readonly seed: string;
  readonly sequence: number;
  readonly entries: readonly SavedEntry[];
}

export function headerLine(seed: string, sequence: number): string {
  return `${JSON.stringify({ v: 1, seed, sequence } satisfies z.input<typeof headerSchema>)}\n`;
}

export function changeLine(
  change: Change,
  sequence: number,
  files?: Readonly<Record<string, string>>,
): string {
  return `${JSON.stringify({ ...change, sequence, files })}\n`;
}

/** Reads the lines of a file. Returns `undefined` if they are not those of a saved world. */
export function readSaved(text: string): SavedWorld | undefined {
  const [first = '', ...lines] = text.split('\n');
  const header = headerSchema.safeParse(parseJson(first)).data;
  if (header === undefined) return undefined;
  let { sequence } = header;
  const entries: SavedEntry[] = [];
  for (const line of lines) {
    const value = parseJson(line);
    const change = changeSchema.safeParse(value).data;
    const rest = sequenceSchema.safeParse(value).data;
    if (change === undefined || rest === undefined) continue;
    sequence = Math.max(sequence, rest.sequence);
    entries.push({ change, files: rest.files ?? {} });
  }
  return { seed: header.seed, sequence, entries };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
