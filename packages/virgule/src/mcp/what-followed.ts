import type { Clock } from '@virgule/core/clock';
import type {
  SimInteractionDetail,
  SimMessage,
  SimTraceDetail,
  SimTracePage,
  SimTraceRow,
} from '@virgule/core/simulator-api';
import type { SimControl } from '../trigger/sim-control.js';

const POLL_MS = 40;
/** What belongs to a command or a message has ended when nothing was added for so long, in milliseconds. */
const QUIET_MS = 300;
/** Characters of a section of a row, and of all rows together: agents read all of it. */
const MAX_SECTION_LENGTH = 1_500;
const MAX_LENGTH = 24_000;

/** The parts of a row that an agent needs; the others are headers. */
const SHOWN = ['Request body', 'Response body', 'Source code', 'Error', 'Fields', 'Frame'];

/** A row of the trace for an agent. */
export interface McpRow {
  readonly id: number;
  /** Milliseconds since the first row. */
  readonly ms: number;
  readonly from: SimTraceRow['from'];
  readonly what: string;
  readonly status?: number | undefined;
  readonly tookMs?: number | undefined;
  readonly isError?: true;
  readonly timings?: SimTraceRow['timings'];
  /** Bodies, the source code around an error, its stack. */
  readonly details?: Readonly<Record<string, string>>;
}

export const lastRowId = async (control: SimControl): Promise<number> =>
  (await control.get<SimTracePage>('/_sim/trace?limit=1')).lastId;

/** Returns the rows after the one with an id, oldest first. */
export async function rowsAfter(control: SimControl, after: number): Promise<SimTraceRow[]> {
  const rows: SimTraceRow[] = [];
  for (let from = after; ;) {
    const page = await control.get<SimTracePage>(`/_sim/trace?after=${from}`);
    rows.push(...page.rows);
    if (!page.hasMore) return rows;
    from = page.rows.at(-1)?.id ?? page.lastId;
  }
}

/** Waits until a command or a message has been dealt with, or for a limit. Returns everything that belongs to it. */
export async function whatFollowed(
  { control, clock }: { readonly control: SimControl; readonly clock: Clock },
  { group, after, isCommand, limitMs }: Followed,
): Promise<object> {
  const endMs = clock.monotonic() + limitMs;
  let count = -1;
  let quietSinceMs = clock.monotonic();
  for (;;) {
    const rows = (await rowsAfter(control, after)).filter((row) => row.group === group);
    const now = clock.monotonic();
    if (rows.length !== count) quietSinceMs = now;
    count = rows.length;
    const answer = isCommand
      ? await control.get<SimInteractionDetail>(`/_sim/interactions/${group}`)
      : undefined;
    const isOpen = ['waiting', 'deferred'].includes(answer?.interaction.state ?? '');
    const hasEnded = !isOpen && now - quietSinceMs >= QUIET_MS;
    if (hasEnded || now >= endMs)
      return {
        ...(answer && describeAnswer(answer)),
        ...(hasEnded ? {} : { note: `still running after ${limitMs / 1_000} s` }),
        trace: await describeRows(control, rows),
      };
    await clock.sleep(POLL_MS);
  }
}

interface Followed {
  /** Id of the interaction or of the message. */
  readonly group: string;
  /** Id of the last row before. */
  readonly after: number;
  readonly isCommand: boolean;
  readonly limitMs: number;
}

function describeAnswer({ interaction, messages }: SimInteractionDetail): object {
  const { id, state, wasDeferred, hasFailed } = interaction;
  return {
    interactionId: id,
    state,
    wasDeferred,
    hasFailed,
    messages: messages.map(describeMessage),
  };
}

/** Returns what people see of a message. */
export function describeMessage(message: SimMessage): object {
  const { id, authorUsername: author, content, createdAt: at, attachments, reactions } = message;
  return {
    id,
    author,
    content,
    at,
    ...(message.isDeleted && { isDeleted: true }),
    ...(message.editedAt !== null && { editedAt: message.editedAt }),
    ...(attachments.length > 0 && { attachments }),
    ...(reactions.length > 0 && { reactions }),
  };
}

/** Returns rows with their details: those of errors first, then of the oldest, as far as they fit. */
export async function describeRows(
  control: SimControl,
  rows: readonly SimTraceRow[],
): Promise<readonly McpRow[]> {
  const details = await detailsThatFit(control, rows);
  const startMs = rows[0]?.atMs ?? 0;
  return rows.map(({ id, atMs, from, what, status, tookMs, isError, timings }): McpRow => {
    const own = details.get(id);
    return {
      id,
      ms: Math.round(atMs - startMs),
      from,
      what,
      status,
      tookMs: tookMs === undefined ? undefined : Math.round(tookMs),
      ...(isError && { isError: true as const }),
      timings,
      ...(own && { details: own }),
    };
  });
}

async function detailsThatFit(
  control: SimControl,
  rows: readonly SimTraceRow[],
): Promise<ReadonlyMap<number, Record<string, string>>> {
  const details = new Map<number, Record<string, string>>();
  const inOrder = rows.toSorted((a, b) => Number(b.isError) - Number(a.isError) || a.id - b.id);
  let length = 0;
  for (const { id } of inOrder) {
    const own = await readDetails(control, id, MAX_SECTION_LENGTH);
    length += JSON.stringify(own).length;
    if (length > MAX_LENGTH) break;
    if (Object.keys(own).length > 0) details.set(id, own);
  }
  return details;
}

/** Returns the parts of a row by their titles; none of one that was dropped meanwhile. */
export async function readDetails(
  control: SimControl,
  id: number,
  maxLength = Number.POSITIVE_INFINITY,
): Promise<Record<string, string>> {
  const detail = await control
    .get<SimTraceDetail>(`/_sim/trace/detail?id=${id}`)
    .catch(() => undefined);
  const shown = (detail?.sections ?? []).filter(
    ({ title, text }) => SHOWN.includes(title) && text !== '',
  );
  return Object.fromEntries(
    shown.map(({ title, text }) => [
      title,
      text.length > maxLength ? `${text.slice(0, maxLength)}…` : text,
    ]),
  );
}
