import { orUndefined } from '@virgule/core/objects';
import { UUID } from '@virgule/core/text';
import type { SimTraceRow } from '@virgule/core/simulator-api';
import { formatDuration } from './format.js';
import type { TraceGroup } from './trace-groups.js';

/** Endpoints of the Bot Interface that end or extend an interaction, by number. */
const DONE: Readonly<Record<number, string>> = {
  27: 'Acknowledged',
  28: 'Deferred',
  29: 'Followed up',
  30: 'Answer edited',
  31: 'Answered',
};

/** Returns the time since the start of a group in milliseconds: `+0.7`. */
export const offsetText = (ms: number): string => (ms < 0.05 ? '0' : `+${ms.toFixed(1)}`);

/** Returns the style of a bar that spans a part of a longer time. */
export const spanOf = (fromMs: number, tookMs: number, wholeMs: number) => {
  const percent = (ms: number) => `${(100 * ms) / Math.max(wholeMs, 0.1)}%`;
  return { left: percent(fromMs), width: percent(tookMs) };
};

const ID = new RegExp(`\\b${UUID}\\b`, 'g');

const ENCODED = /(?:%[0-9A-F]{2})+/g;

/** Returns text with decoded percent-encoding; invalid encodings stay. */
const decoded = (text: string): string =>
  text.replaceAll(ENCODED, (encoded) => orUndefined(() => decodeURIComponent(encoded)) ?? encoded);

/** Returns the title of a row without ids. The title of a request keeps only the part of the path after the last id. */
export const shortTitle = (what: string): string => {
  const title = what
    .replace(/^POST \S+\/interactions\/commands (?=\/)/, 'sent ')
    .replace('/api/bot/v1/', '/')
    .replaceAll(ID, '…');
  return /^[A-Z]+ \//.test(title) ? decoded(title.replace(/ \S*…(?=\/)/, ' …')) : title;
};

/** Returns the story of a command in plain sentences. */
export function describeGroup({ kind, rows, startMs, title }: TraceGroup): readonly string[] {
  if (kind !== 'commands') return [];
  const receiver = rows.some((row) => row.kind === 'frame') ? 'The bot' : 'No bot';
  const after = (row: SimTraceRow): string =>
    `after ${formatDuration(row.atMs - startMs + (row.tookMs ?? 0))}`;
  const sentences = rows.flatMap((row): readonly string[] => {
    const { isError, what, status = 0, endpoint = 0 } = row;
    if (row.kind === 'notice') return [`The interaction ${what} ${after(row)}.`];
    if (row.kind === 'log' && isError) return [`${what.replace(/\.$/, '')}.`];
    if (row.kind !== 'request' || row.from !== 'bot') return [];
    if (isError) return [`${shortTitle(what)} was refused with ${status} ${after(row)}.`];
    const done = DONE[endpoint];
    return done === undefined ? [] : [`${done} ${after(row)}.`];
  });
  return [`${receiver} received ${title}.`, ...sentences];
}

/** A bar of the waterfall; times are in milliseconds from the start of the group. */
export interface TraceBar {
  readonly label: string;
  readonly fromMs: number;
  readonly tookMs: number;
  readonly phase: 'queue' | 'handler' | 'request' | 'retried' | 'failed';
}

/** The parts of a command in the bot, in order of time. */
const PARTS = [
  ['queueMs', 'in the queue', 'queue'],
  ['parseMs', 'reading options', 'handler'],
  ['middlewareMs', 'middleware', 'handler'],
  ['handlerMs', 'handler', 'handler'],
] as const;

/** Returns the parts of a command in the bot, each request, and the time until a command expired, as bars. */
export function barsOf({ rows, startMs, outcome }: TraceGroup): readonly TraceBar[] {
  const timings = rows.find((row) => row.timings?.['ms'] !== undefined)?.timings;
  const parts: TraceBar[] = [];
  const received = rows.find(({ kind, from }) => kind === 'frame' && from === 'platform');
  let fromMs = (received?.atMs ?? startMs) - startMs;
  const hasThrown = rows.some(({ kind, isError }) => kind === 'log' && isError);
  for (const [name, label, phase] of PARTS) {
    const measuredMs = timings?.[name];
    if (measuredMs === undefined) continue;
    // A measured time can be negative: the bot and the platform are different processes with different clocks.
    const tookMs = Math.max(0, measuredMs);
    const isFailed = hasThrown && name === 'handlerMs';
    parts.push({ label, fromMs, tookMs, phase: isFailed ? 'failed' : phase });
    fromMs += tookMs;
  }
  const requests = rows
    .filter(({ kind, from }) => kind === 'request' && from === 'bot')
    .map(({ what, atMs, tookMs = 0, isError }): TraceBar => {
      const refused = outcome.tone === 'warn' ? 'retried' : 'failed';
      const phase = isError ? refused : 'request';
      return { label: shortTitle(what), fromMs: atMs - startMs, tookMs, phase };
    });
  const expired = rows.find(({ kind, isError }) => kind === 'notice' && isError);
  const tookMs = (expired?.atMs ?? startMs) - startMs;
  const waits = { label: 'no answer', fromMs: 0, tookMs, phase: 'failed' } as const;
  return [...parts, ...requests, ...(expired ? [waits] : [])];
}

/** Returns JSON with line breaks; other text unchanged. */
export function prettyText(text: string): string {
  const value = /^\s*[[{]/.test(text) ? orUndefined<unknown>(() => JSON.parse(text)) : undefined;
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
