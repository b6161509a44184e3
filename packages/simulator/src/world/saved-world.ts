import type { Change } from './change.js';
import { changeLine, headerLine, readSaved, type SavedChange } from './saved-lines.js';
import type { InteractionRecord, MessageRecord } from './state.js';
import type { World } from './world.js';

/** Maximum size of all files together, in bytes; the newest are kept. */
const MAX_FILES_BYTES = 8 * 1024 * 1024;
/** The number that a page shows. */
const MAX_INTERACTIONS = 200;

/** Returns the messages of a world, as they are now, as lines of a file. Each line is made when it is read. */
export function saveWorld(world: World): Iterable<string> {
  const { seed, state } = world;
  const { sequence } = state;
  // Records are never modified, so a copy of the list, which is in the order of positions, is a copy of the world.
  const messages = [...state.messages.values()];
  const interactions = [...state.interactions.values()]
    .filter((interaction) => interaction.state === 'answered')
    .slice(-MAX_INTERACTIONS);
  const keys = newestFiles(world, messages);
  const places = editedPlaces(world);
  return (function* lines() {
    yield headerLine(seed, sequence);
    for (const change of places) yield changeLine(change, sequence);
    for (const message of messages) {
      const files = filesOf(world, message, keys);
      yield changeLine({ type: 'message.created', message }, sequence, files);
    }
    for (const interaction of interactions)
      yield changeLine({ type: 'interaction.changed', interaction }, sequence);
  })();
}

/**
 * Calls the listener with a line for each change that a file keeps, to append to those of `saveWorld`; the other one
 * when the lines of `saveWorld` are different ones.
 */
export function journalWorld(
  world: World,
  listener: (line: string) => void,
  onReplaced: () => void = () => {},
): () => void {
  return world.subscribe((change) => {
    if (change.type === 'world.replaced') onReplaced();
    if (!isSaved(change)) return;
    const files = change.type === 'message.created' ? filesOf(world, change.message) : undefined;
    listener(changeLine(change, world.state.sequence, files));
  });
}

const SAVED = new Set<Change['type']>([
  'message.created',
  'message.edited',
  'message.deleted',
  'messages.forgotten',
  'reaction.added',
  'reaction.removed',
  'interaction.changed',
  'user.saved',
  'server.saved',
  'channel.saved',
  'role.saved',
  'user.removed',
  'server.removed',
  'channel.removed',
  'role.removed',
] satisfies SavedChange['type'][]);

function isSaved(change: Change): boolean {
  // Unanswered interactions end with their run.
  if (change.type === 'interaction.changed') return change.interaction.state === 'answered';
  return SAVED.has(change.type);
}

/** Returns what was added to the users and places of the seed, changed or removed. */
function editedPlaces({ state, seeded }: World): Change[] {
  const changes: Change[] = [
    ...edited(state.users, seeded.users).map((user) => ({ type: 'user.saved' as const, user })),
    ...edited(state.servers, seeded.servers).map((server) => ({
      type: 'server.saved' as const,
      server,
    })),
    ...edited(state.channels, seeded.channels).map((channel) => ({
      type: 'channel.saved' as const,
      channel,
    })),
    ...edited(state.roles, seeded.roles).map((role) => ({ type: 'role.saved' as const, role })),
  ];
  for (const kind of ['channel', 'role', 'server', 'user'] as const) {
    const ids = [...seeded[`${kind}s`].keys()].filter((id) => !state[`${kind}s`].has(id));
    changes.push(...ids.map((id) => ({ type: `${kind}.removed` as const, id })));
  }
  return changes;
}

const edited = <Item>(now: ReadonlyMap<string, Item>, seeded: ReadonlyMap<string, Item>): Item[] =>
  [...now].flatMap(([id, record]) => (seeded.get(id) === record ? [] : [record]));

function newestFiles({ blobs }: World, messages: readonly MessageRecord[]): ReadonlySet<string> {
  const attachments = messages.flatMap((message) => message.attachments);
  const keys = new Set<string>();
  let bytes = 0;
  for (const { objectKey } of attachments.toReversed()) {
    bytes += blobs.get(objectKey)?.length ?? 0;
    if (bytes > MAX_FILES_BYTES) break;
    keys.add(objectKey);
  }
  return keys;
}

function filesOf(
  { blobs }: World,
  { attachments }: MessageRecord,
  keys?: ReadonlySet<string>,
): Record<string, string> | undefined {
  const files: Record<string, string> = {};
  for (const { objectKey } of attachments) {
    const blob = blobs.get(objectKey);
    const isKept = keys?.has(objectKey) ?? (blob?.length ?? 0) <= MAX_FILES_BYTES;
    if (blob && isKept) files[objectKey] = blob.toString('base64');
  }
  return attachments.length > 0 ? files : undefined;
}

/** Replaces the messages of the seed with those of a saved world. Returns false if it is not compatible. */
export function restoreWorld(world: World, saved: string): boolean {
  const { state, blobs } = world;
  const data = readSaved(saved);
  if (data?.seed !== world.seed) return false;
  if (!data.entries.every(isPlaced(world))) return false;
  state.messages.clear();
  state.histories.clear();
  state.attachmentMessages.clear();
  const interactions = new Map<string, InteractionRecord>();
  for (const { change, files } of data.entries) {
    for (const [objectKey, text] of Object.entries(files))
      blobs.set(objectKey, Buffer.from(text, 'base64'));
    if (change.type === 'interaction.changed')
      interactions.set(change.interaction.id, change.interaction);
    else world.emit(change);
  }
  // Their channels may have been deleted since, also in files that list them after that.
  const placed = [...interactions.values()].filter(({ channelId }) =>
    state.channels.has(channelId),
  );
  for (const interaction of placed.slice(-MAX_INTERACTIONS))
    world.emit({ type: 'interaction.changed', interaction });
  // New messages must not get the ids and positions of saved ones.
  state.sequence = Math.max(state.sequence, data.sequence);
  return true;
}

/**
 * Returns a check of entries in their order: whether the channel of each message is known at its time. The user may have
 * been deleted since.
 */
function isPlaced({ state }: World): (entry: { readonly change: SavedChange }) => boolean {
  const known = new Set(state.channels.keys());
  return ({ change }) => {
    switch (change.type) {
      case 'channel.saved':
        known.add(change.channel.id);
        return true;
      case 'message.created':
        return known.has(change.message.channelId);
      default:
        return true;
    }
  };
}
