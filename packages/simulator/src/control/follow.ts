// Collects the events, requests and log entries that follow a command or a message.
import { systemClock } from '@virgule/core/clock';
import { recordIn } from '@virgule/core/objects';
import { TYPING_MS } from '@virgule/core/protocol';
import type {
  SimHandlerFile,
  SimMessage,
  SimOutcome,
  SimOutcomeRow,
  SimTraceRow,
} from '@virgule/core/simulator-api';
import type { Trace } from '../trace/trace.js';
import { simMessage } from '../world/message-view.js';
import { notFound } from '../world/refusal.js';
import { simInteraction } from '../world/sim-views.js';
import type { World } from '../world/world.js';
import type { Control } from './action.js';
import { handlersOf } from './ask-bot.js';

const POLL_MS = 40;
/** Time without a new row after which a command has ended, in milliseconds: edits of an answer are 250 ms apart. */
const QUIET_MS = 500;
/** Maximum number of characters of a section of a row, and of all sections together: agents read all sections. */
const MAX_SECTION_LENGTH = 1_500;
const MAX_LENGTH = 24_000;

/** Titles of the sections to show; the other sections are headers. */
const SHOWN = ['Request body', 'Response body', 'Source code', 'Error', 'Fields', 'Frame'];

/** Carries out an action of a user, and waits for the response of the bot. */
export async function actAndFollow(
  control: Control,
  seconds: number,
  act: () => { readonly id: string } | undefined,
): Promise<SimOutcome> {
  const after = control.trace.page(0, 0).lastId;
  const { state } = control.world;
  const { sequence } = state;
  const id = act()?.id ?? null;
  if (state.sequence > sequence) return follow(control, id, seconds, after);
  return { ...outcomeOf(control, id, []), note: 'Nothing changed, so no bot received an event.' };
}

/**
 * Resolves with everything that followed a command or a message, when the interaction is closed and the trace had no new
 * row for a while of real time: this function waits for the process of the bot, not for the world.
 *
 * Only bots of `virgule dev` and of tests name the cause of a request. If no `virgule dev` runs, requests without a cause
 * in the channel of the message that change something count as well.
 *
 * @param id - `null` for rows that belong to no interaction or message.
 * @param after - id of the last row of the trace before the action; without it, each row must name its cause.
 */
export async function follow(
  control: Control,
  id: string | null,
  seconds: number,
  after?: number,
): Promise<SimOutcome> {
  const { world, trace, closed } = control;
  const { interactions, messages, channels } = world.state;
  if (id !== null && ![interactions, messages, channels].some((records) => records.has(id)))
    throw notFound('interaction or message', id);
  const endMs = systemClock.monotonic() + seconds * 1_000;
  const handlers = await handlersOf(control);
  const place = handlers || after === undefined ? undefined : messages.get(id ?? '')?.channelId;
  const follows = (row: SimTraceRow): boolean =>
    row.group === id ||
    (row.group === null && isChange(row) && !!place && row.what.includes(place));
  let count = -1;
  let quietSinceMs = systemClock.monotonic();
  for (;;) {
    const rows = trace.page(after ?? 0).rows.filter(follows);
    const now = systemClock.monotonic();
    if (rows.length !== count) quietSinceMs = now;
    count = rows.length;
    const interaction = world.state.interactions.get(id ?? '');
    const isOpen = ['waiting', 'deferred'].includes(interaction?.state ?? '');
    const names = interaction ? [interaction.commandName] : eventsIn(rows);
    const handling = handlers?.filter(({ name }) => names.includes(name));
    const hasEnded = !isOpen && now - quietSinceMs >= quietTime(rows, handling);
    if (hasEnded || now >= endMs || closed.aborted) {
      const note = hasEnded || seconds === 0 ? undefined : `still running after ${seconds} s`;
      const outcome = outcomeOf(control, id, rows);
      const files = handling?.map(({ file }) => file);
      return { ...outcome, ...(files && { handlers: files }), ...(note !== undefined && { note }) };
    }
    await systemClock.sleep(POLL_MS, { signal: closed }).catch(() => {});
  }
}

const isEvent = ({ kind, from }: SimTraceRow): boolean => kind === 'frame' && from === 'platform';
const isChange = ({ kind, from, what }: SimTraceRow): boolean =>
  kind === 'request' && from === 'bot' && !what.startsWith('GET ');

function outcomeOf({ world, trace }: Control, id: string | null, rows: readonly SimTraceRow[]) {
  const interaction = world.state.interactions.get(id ?? '');
  const message = world.state.messages.get(id ?? '');
  return {
    id,
    ...(message && { message: simMessage(world, message) }),
    ...(interaction && { interaction: simInteraction(world, interaction) }),
    received: rows.some(isEvent),
    replies:
      interaction === undefined
        ? messagesSentIn(world, trace, rows)
        : (world.state.histories.get(interaction.channelId) ?? [])
            .filter((each) => each.interactionId === id)
            .map((each) => simMessage(world, each)),
    trace: withDetails(trace, rows),
  };
}

/** Returns the names of the events that the bot received. */
const eventsIn = (rows: readonly SimTraceRow[]): readonly (string | undefined)[] =>
  rows.filter(isEvent).map(({ what }) => what.split(' ')[0]);

/** Returns the time without a new row after which a handler has ended: it may wait for the end of a burst, or be typing. */
function quietTime(rows: readonly SimTraceRow[], handlers: readonly SimHandlerFile[] = []): number {
  const last = rows.findLast(isChange);
  if (last) return QUIET_MS + (last.what.endsWith('/typing') ? TYPING_MS : 0);
  return QUIET_MS + Math.max(0, ...handlers.map(({ burstMs = 0 }) => burstMs));
}

/** Returns the messages that requests of the bot created. */
function messagesSentIn(world: World, trace: Trace, rows: readonly SimTraceRow[]): SimMessage[] {
  const ids = rows
    .filter((row) => isChange(row) && row.what.startsWith('POST '))
    .map(({ id }) => recordIn(detailsOf(trace, id)['Response body'] ?? '')?.['id']);
  return [...new Set(ids)].flatMap((id) => {
    const message = world.state.messages.get(String(id));
    return message === undefined ? [] : [simMessage(world, message)];
  });
}

/** Returns rows with their details, up to `MAX_LENGTH` in total: rows of errors come first, then the oldest rows. */
export function withDetails(trace: Trace, rows: readonly SimTraceRow[]): readonly SimOutcomeRow[] {
  const found = new Map<number, Record<string, string>>();
  const inOrder = rows.toSorted((a, b) => Number(b.isError) - Number(a.isError) || a.id - b.id);
  let length = 0;
  for (const { id } of inOrder) {
    const own = detailsOf(trace, id, MAX_SECTION_LENGTH);
    length += JSON.stringify(own).length;
    if (length > MAX_LENGTH) break;
    if (Object.keys(own).length > 0) found.set(id, own);
  }
  return rows.map((row) => {
    const details = found.get(row.id);
    return details === undefined ? row : { ...row, details };
  });
}

/** Returns the sections of a row by title; an empty object for a dropped row. */
function detailsOf(trace: Trace, id: number, maxLength = Number.POSITIVE_INFINITY) {
  const sections = trace.detail(id)?.sections ?? [];
  return Object.fromEntries(
    sections
      .filter(({ title, text }) => SHOWN.includes(title) && text !== '')
      .map(({ title, text }): [string, string] => [
        title,
        text.length > maxLength ? `${text.slice(0, maxLength)}…` : text,
      ]),
  );
}
