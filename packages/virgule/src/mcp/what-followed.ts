import type { Clock } from '@virgule/core/clock';
import type {
  SimInteraction,
  SimMessage,
  SimTraceDetail,
  SimTracePage,
  SimTraceRow,
} from '@virgule/core/simulator-api';
import type { SimControl } from '../trigger/sim-control.js';

const POLL_MS = 40;
/** What belongs to a command or a message has ended when nothing was added for so long, in milliseconds. */
const QUIET_MS = 300;
/** Rows whose bodies are shown. */
const MAX_DETAILS = 40;
/** Characters of a body. */
const MAX_BODY_LENGTH = 2_000;

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

/** An interaction and its messages, as GET /_sim/interactions/{interactionId} returns them. */
interface InteractionAnswer {
  readonly interaction: SimInteraction;
  readonly messages: readonly SimMessage[];
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
      ? await control.get<InteractionAnswer>(`/_sim/interactions/${group}`)
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

function describeAnswer({ interaction, messages }: InteractionAnswer): object {
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

/** Returns rows with their details, of errors all, of the others as many as fit. */
export async function describeRows(
  control: SimControl,
  rows: readonly SimTraceRow[],
): Promise<readonly McpRow[]> {
  const startMs = rows[0]?.atMs ?? 0;
  return Promise.all(
    rows.map(async (row, index): Promise<McpRow> => {
      const { id, atMs, from, what, status, tookMs, isError, timings } = row;
      const details =
        isError || index < MAX_DETAILS ? detailsOf(await readDetail(control, id)) : undefined;
      return {
        id,
        ms: Math.round(atMs - startMs),
        from,
        what,
        status,
        tookMs: tookMs === undefined ? undefined : Math.round(tookMs),
        ...(isError && { isError: true as const }),
        timings,
        ...(details && { details }),
      };
    }),
  );
}

/** Returns a row with its details; `undefined` if it was dropped meanwhile. */
const readDetail = (control: SimControl, id: number): Promise<SimTraceDetail | undefined> =>
  control.get<SimTraceDetail>(`/_sim/trace/detail?id=${id}`).catch(() => undefined);

function detailsOf(detail: SimTraceDetail | undefined): Record<string, string> | undefined {
  const sections = (detail?.sections ?? []).filter(
    ({ title, text }) => SHOWN.includes(title) && text !== '',
  );
  if (sections.length === 0) return undefined;
  return Object.fromEntries(
    sections.map(({ title, text }) => [title, text.slice(0, MAX_BODY_LENGTH)]),
  );
}
