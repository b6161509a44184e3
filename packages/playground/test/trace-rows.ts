import type { SimTraceRow, SimTraceSection } from '@virgule/core/simulator-api';

let lastId = 0;

/** Returns a row of a trace; by default, its time is its number in milliseconds. */
export function traceRow(more: Partial<SimTraceRow> = {}): SimTraceRow {
  lastId += 1;
  const { id = lastId } = more;
  return {
    id,
    atMs: id,
    moment: id,
    kind: 'request',
    from: 'bot',
    what: 'GET /api/bot/v1/channels/1',
    group: null,
    isError: false,
    ...more,
  };
}

export const RUN = '11111111-2222-4333-8444-555555555555';

/** A command that was deferred, refused once, and answered. */
export const COMMAND_ROWS: readonly SimTraceRow[] = [
  {
    ...traceRow({ id: 1, kind: 'frame', from: 'platform', what: 'APPLICATION_COMMAND /roll 20' }),
    group: RUN,
  },
  traceRow({
    id: 4,
    atMs: 30,
    group: RUN,
    kind: 'log',
    what: '/roll answered',
    timings: { ms: 29, queueMs: 1, parseMs: 2, handlerMs: 10, restMs: 8, calls: 2 },
  }),
  traceRow({
    id: 2,
    atMs: 11,
    tookMs: 2,
    group: RUN,
    status: 200,
    endpoint: 28,
    what: `POST /api/bot/v1/interactions/${RUN}/defer`,
  }),
  traceRow({
    id: 3,
    atMs: 21,
    tookMs: 4,
    group: RUN,
    status: 429,
    endpoint: 31,
    isError: true,
    what: `POST /api/bot/v1/interactions/${RUN}/response`,
  }),
];

/** The same rows, with an error that the bot logged. */
export const FAILED_ROWS: readonly SimTraceRow[] = [
  ...COMMAND_ROWS,
  traceRow({ id: 5, atMs: 29, group: RUN, kind: 'log', isError: true, what: '/roll failed' }),
];

/** The details of an error. */
export const SECTIONS: readonly SimTraceSection[] = [
  ['Source code', '> 3 | await send("hello");'],
  ['Error', 'TypeError: send is not a function\n    at run (./commands/bad.ts:3:36)'],
  ['Response headers', 'content-type: application/json'],
].map(([title = '', text = '']) => ({ title, text, length: text.length }));
