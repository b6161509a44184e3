import type { SimInteraction, SimMessage } from '@virgule/core/simulator-api';
import type { ChannelLog } from './channel-log.js';

/** Maximum time between two messages of one author in a group with one heading, in milliseconds. */
const GROUP_MS = 5 * 60_000;

/** Time after which an interaction without an answer is shown as waiting, in milliseconds. */
const WAITING_AFTER_MS = 300;

export type TimelineRow =
  | { readonly kind: 'day'; readonly key: string; readonly isoTime: string }
  | { readonly kind: 'new'; readonly key: string }
  | EntryRow;

/** A message, an interaction without an answer, or an answer with its interaction. */
export interface EntryRow {
  readonly kind: 'entry';
  readonly key: string;
  readonly message: SimMessage | null;
  readonly interaction: SimInteraction | null;
  readonly startsGroup: boolean;
  /** `true` until the simulator has confirmed the message. */
  readonly isSending: boolean;
}

export interface TimelineInput extends Pick<ChannelLog, 'messages' | 'hasOlder'> {
  readonly sending: readonly SimMessage[];
  readonly interactions: readonly SimInteraction[];
  /** Id of the first unread message, if there is a divider before it. */
  readonly firstNewId: string | null;
  readonly nowMs: number;
}

type Entry = Pick<EntryRow, 'message' | 'interaction' | 'isSending'> & { readonly timeMs: number };

function isShown(interaction: SimInteraction, nowMs: number): boolean {
  if (interaction.state === 'answered') return false;
  return (
    interaction.state !== 'waiting' || nowMs - Date.parse(interaction.createdAt) >= WAITING_AFTER_MS
  );
}

function collectEntries(input: TimelineInput): Entry[] {
  const newestFirst = input.messages.toReversed();
  const firstOf = new Map(newestFirst.map((message) => [message.interactionId, message.id]));
  // An answer may arrive before its interaction has the id of the answer.
  const answerOf = (run: SimInteraction) => run.responseMessageId ?? firstOf.get(run.id);
  const answers = new Map(input.interactions.map((run) => [answerOf(run), run]));
  const oldest = input.messages[0];
  const fromMs = input.hasOlder && oldest !== undefined ? Date.parse(oldest.createdAt) : 0;
  const entries: Entry[] = input.messages.map((message) => {
    const interaction = answers.get(message.id) ?? null;
    // The answer replaces the row of the waiting interaction.
    const timeMs = Date.parse((interaction ?? message).createdAt);
    return { timeMs, message, interaction, isSending: false };
  });
  for (const interaction of input.interactions) {
    const timeMs = Date.parse(interaction.createdAt);
    if (answerOf(interaction) !== undefined || timeMs < fromMs) continue;
    if (isShown(interaction, input.nowMs))
      entries.push({ timeMs, message: null, interaction, isSending: false });
  }
  entries.sort((a, b) => a.timeMs - b.timeMs);
  // Messages that are being sent come last, even if the clocks differ.
  for (const message of input.sending) {
    const timeMs = Date.parse(message.createdAt);
    entries.push({ timeMs, message, interaction: null, isSending: true });
  }
  return entries;
}

function continuesGroup({ message: previous }: Entry, { message, interaction }: Entry): boolean {
  return (
    interaction === null &&
    message?.replyTo === null &&
    message.authorId === previous?.authorId &&
    Date.parse(message.createdAt) - Date.parse(previous.createdAt) < GROUP_MS
  );
}

/** Returns the day in the time zone of the browser. */
const dayOf = (timeMs: number): string => new Date(timeMs).toDateString();

/** Returns the rows of a channel: messages and open interactions in order, with dividers for days and new messages. */
export function buildTimeline(input: TimelineInput): readonly TimelineRow[] {
  const rows: TimelineRow[] = [];
  let previous: Entry | null = null;
  for (const entry of collectEntries(input)) {
    const { timeMs, message, interaction, isSending } = entry;
    const day = dayOf(timeMs);
    const isNewDay = previous === null || dayOf(previous.timeMs) !== day;
    const isFirstNew = message !== null && message.id === input.firstNewId;
    if (isNewDay)
      rows.push({ kind: 'day', key: `day ${day}`, isoTime: new Date(timeMs).toISOString() });
    if (isFirstNew) rows.push({ kind: 'new', key: 'new' });
    // An interaction and its answer have the same key, so that the row keeps the focus.
    const key = interaction?.id ?? message?.id ?? '';
    const startsGroup = isNewDay || isFirstNew || !previous || !continuesGroup(previous, entry);
    rows.push({ kind: 'entry', key, message, interaction, startsGroup, isSending });
    previous = entry;
  }
  return rows;
}
