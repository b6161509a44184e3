// A saved world: lines of JSON, each complete in itself. The first line names the seed; every other line is a change.
import { applyChange } from './apply-change.js';
import { placements } from './bots.js';
import { buildWorld } from './build-world.js';
import { PLACE_LISTS, type Change } from './change.js';
import type { MessageRecord } from './state.js';
import type { World, WorldBasis } from './world.js';

/** Version of the lines; changes with the form of the records of the state. */
const VERSION = 4;
/** Maximum size of all files together, in bytes; the newest files are kept. */
const MAX_FILES_BYTES = 8 * 1024 * 1024;
/** Maximum number of interactions, which is the number that a page shows. */
const MAX_INTERACTIONS = 200;

/** Name of a time of a record, as an ISO string. */
const TIME_KEY = /^(created|edited)At$/;

/** The bytes of files, in base64, by object key. */
type Files = Record<string, string>;
/** A change, and the state after it, so that new ids and positions differ from those of earlier runs. */
type Entry = Change & { readonly sequence: number; readonly files?: Files };

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;

/** Returns the current messages and places of a world as lines. */
export function saveWorld(world: World): string {
  const { seed, state } = world;
  const { sequence } = state;
  const messages = [...state.messages.values()];
  const keys = newestFiles(world, messages);
  const places = PLACE_LISTS.flatMap((list) =>
    [...state[list].values()].map((record) => ({ type: 'place.saved', list, record, sequence })),
  );
  const interactions = [...state.interactions.values()]
    .filter((interaction) => interaction.state === 'answered')
    .slice(-MAX_INTERACTIONS);
  return [
    { v: VERSION, seed },
    ...places,
    ...messages.map((message) => {
      const files = filesOf(world, message, keys);
      return { type: 'message.created', message, sequence, files };
    }),
    ...interactions.map((interaction) => ({ type: 'interaction.changed', interaction, sequence })),
  ]
    .map(lineOf)
    .join('');
}

/** Calls `listener` with each line to append to those of `saveWorld`, and `onReplaced` when `saveWorld` is needed again. */
export function journalWorld(
  world: World,
  listener: (line: string) => void,
  onReplaced: () => void = () => {},
): () => void {
  return world.subscribe((change) => {
    if (change.type === 'world.replaced') onReplaced();
    if (!isSaved(change)) return;
    const files = change.type === 'message.created' ? filesOf(world, change.message) : undefined;
    listener(lineOf({ ...change, sequence: world.state.sequence, files }));
  });
}

function isSaved(change: Change): boolean {
  // Unanswered interactions end with their run.
  if (change.type === 'interaction.changed') return change.interaction.state === 'answered';
  return /^(message|messages|reaction|place)\./.test(change.type);
}

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

function filesOf({ blobs }: World, { attachments }: MessageRecord, keys?: ReadonlySet<string>) {
  const files: Files = {};
  for (const { objectKey } of attachments) {
    const blob = blobs.get(objectKey);
    const isKept = keys?.has(objectKey) ?? (blob?.length ?? 0) <= MAX_FILES_BYTES;
    if (blob && isKept) files[objectKey] = blob.toString('base64');
  }
  return attachments.length > 0 ? files : undefined;
}

/** Replaces the contents of the seed with those of a saved world. Returns false if the saved world is not compatible. */
function restoreWorld({ seed, state, blobs, clock }: World, saved: string): boolean {
  // A world with another seed does not have these channels and users.
  const header = lineOf({ v: VERSION, seed });
  if (!saved.startsWith(header)) return false;
  for (const list of PLACE_LISTS) state[list].clear();
  state.messages.clear();
  state.histories.clear();
  state.attachmentMessages.clear();
  let last = 0;
  // The clock of the earlier run may have been ahead. New messages must not be older than saved messages.
  const now = new Date(clock.now()).toISOString();
  const untilNow = (key: string, value: unknown): unknown =>
    TIME_KEY.test(key) && typeof value === 'string' && value > now ? now : value;
  for (const line of saved.slice(header.length).split('\n')) {
    try {
      // The version guarantees the form of a complete line.
      const entry = JSON.parse(line, untilNow) as Entry;
      for (const [objectKey, text] of Object.entries(entry.files ?? {}))
        blobs.set(objectKey, Buffer.from(text, 'base64'));
      applyChange(state, entry);
      last = Math.max(last, entry.sequence);
    } catch {
      // The last line of a killed process may be incomplete.
    }
  }
  for (const { id, serverId } of state.emojis.values())
    if (!state.servers.has(serverId)) state.emojis.delete(id);
  // New messages must not get the ids and positions of saved messages.
  state.sequence = Math.max(state.sequence, last);
  return [...state.histories.keys()].every((channelId) => state.channels.has(channelId));
}

/**
 * Replaces the contents of a world, except its bots, by those of its seed or of a saved world. Returns false, and changes
 * nothing, if the saved world is not compatible.
 */
export function replaceWorld(world: World, source: WorldBasis, saved?: string): boolean {
  const next = buildWorld(source);
  if (saved !== undefined && !restoreWorld(next, saved)) return false;
  const { bots, problems, clock, editor, sequence } = world.state;
  for (const bot of bots.values()) {
    applyChange(next.state, { type: 'bot.changed', bot });
    for (const change of placements(next.state, bot)) applyChange(next.state, change);
  }
  world.blobs.clear();
  for (const [objectKey, bytes] of next.blobs) world.blobs.set(objectKey, bytes);
  // New records must not get the ids and positions of deleted or saved records.
  const last = Math.max(sequence, next.state.sequence) + 1;
  const state = { ...next.state, problems, clock, editor, sequence: last };
  world.emit({ type: 'world.replaced', state });
  return true;
}
