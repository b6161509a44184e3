import { describe, expect, it } from 'vitest';
import type { SimTraceRow } from '@virgule/core/simulator-api';
import { COMMAND_ROWS, RUN, traceRow } from '../../test/trace-rows.js';
import { readFilter } from './trace-filter.js';
import { groupRows, linesOf } from './trace-groups.js';
import { barsOf, describeGroup, prettyText, shortTitle } from './trace-text.js';

const [command] = groupRows(COMMAND_ROWS);
if (command === undefined) throw new Error('no group');

describe('groupRows', () => {
  it('collects what belongs together, in the order of the times, and names it', () => {
    expect(command).toMatchObject({ key: RUN, title: '/roll 20', tookMs: 29, kind: 'commands' });
    expect(command.outcome).toEqual({ tone: 'err', word: '429' });
    expect(command.rows.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  });

  it('has the newest group first, and rows of no group alone', () => {
    const rows = [
      traceRow({ id: 1, group: 'a' }),
      traceRow({ id: 2, from: 'user' }),
      traceRow({ id: 3, group: 'a' }),
    ];
    expect(groupRows(rows).map(({ key }) => key)).toEqual(['row-2', 'a']);
  });
});

describe('groupRows names what happened', () => {
  const one = (...rows: readonly Partial<SimTraceRow>[]) =>
    groupRows(rows.map((row) => traceRow(row))).map(({ kind, title, saves, outcome }) => [
      kind,
      title,
      saves,
      outcome.word,
    ]);
  const sync = { what: 'GET /api/bot/v1/commands' };
  const saved = { kind: 'notice', what: 'reloaded commands/a.ts' } as const;

  it.each<[name: string, rows: readonly Partial<SimTraceRow>[], groups: readonly unknown[]]>([
    [
      'saves with their calls',
      [sync, sync, saved, sync, saved],
      [['saves', 'Saved commands/a.ts', 2, '']],
    ],
    [
      'a connection',
      [{ kind: 'frame', what: 'HELLO' }, { kind: 'frame', what: 'READY' }, sync],
      [['connection', 'Connected', 1, '']],
    ],
    [
      'a command that the bot did not receive',
      [{ group: RUN, from: 'user', what: 'POST /api/channels/1/interactions/commands /help' }],
      [['commands', '/help', 1, 'not received']],
    ],
    [
      'a run of a task with its calls',
      [{}, { kind: 'log', group: 'run', what: 'task tea done', timings: { ms: 5 } }],
      [['tasks', 'Task tea', 1, '']],
    ],
    [
      'calls for a voice channel in one group',
      [{ what: 'GET /api/bot/v1/channels/1/voice-state' }, { what: 'POST /_media/whip/1' }],
      [['connection', 'Voice', 1, '']],
    ],
    [
      'a request that was refused and sent again',
      [
        { group: 'm', endpoint: 6, status: 429, isError: true },
        { group: 'm', endpoint: 6, status: 200 },
      ],
      [['events', 'GET /api/bot/v1/channels/1', 1, '429, retried']],
    ],
  ])('%s', (_name, rows, groups) => {
    expect(one(...rows)).toEqual(groups);
  });
});

describe('linesOf', () => {
  const groups = groupRows([
    ...COMMAND_ROWS,
    traceRow({ id: 8, what: 'HELLO', kind: 'frame' }),
    traceRow({ id: 9, what: 'HEARTBEAT', kind: 'frame' }),
  ]);
  const keys = (query: string, isOpen = false) =>
    linesOf(groups, readFilter(query), () => isOpen).map(({ key }) => key);

  it.each<[query: string, isOpen: boolean, lines: readonly string[]]>([
    ['', false, ['own-8', RUN]],
    ['', true, ['own-8', RUN, 'row-1', 'row-2', 'row-3', 'row-4']],
    ['heartbeat', false, ['row-9']],
    ['status:429', false, [RUN]],
    ['status:500', true, []],
  ])('%j, open %s', (query, isOpen, lines) => {
    expect(keys(query, isOpen)).toEqual(lines);
  });
});

describe('describeGroup', () => {
  it('describes what happened to a command', () => {
    expect(describeGroup(command)).toEqual([
      'The bot received /roll 20.',
      'Deferred after 12 ms.',
      'POST …/response was refused with 429 after 24 ms.',
    ]);
  });

  it('names errors of the bot and of the simulator', () => {
    const [group] = groupRows([
      ...COMMAND_ROWS.slice(0, 1),
      traceRow({ id: 5, group: RUN, kind: 'log', isError: true, what: '/roll failed: no dice' }),
      traceRow({
        id: 6,
        group: RUN,
        kind: 'notice',
        isError: true,
        what: 'expired without an answer',
      }),
    ]);
    expect(group && describeGroup(group).slice(1)).toEqual([
      '/roll failed: no dice.',
      'The interaction expired without an answer after 5 ms.',
    ]);
  });

  it('describes a command that no bot received, and the time until it expired', () => {
    const what = 'POST /api/channels/1/interactions/commands /help';
    const [group] = groupRows([
      traceRow({ id: 1, group: RUN, from: 'user', what }),
      traceRow({
        id: 3001,
        group: RUN,
        kind: 'notice',
        isError: true,
        what: 'expired without an answer',
      }),
    ]);
    expect(group && describeGroup(group)).toEqual([
      'No bot received /help.',
      'The interaction expired without an answer after 3 s.',
    ]);
    expect(group && barsOf(group)).toEqual([
      { label: 'no answer', fromMs: 0, tookMs: 3000, phase: 'failed' },
    ]);
  });

  it('says nothing about other events', () => {
    const [group] = groupRows([traceRow({ group: 'm' })]);
    expect(group && describeGroup(group)).toEqual([]);
  });
});

it('draws the parts of a command one after the other, then its requests', () => {
  expect(barsOf(command).map(({ label, fromMs, tookMs }) => [label, fromMs, tookMs])).toEqual([
    ['in the queue', 0, 1],
    ['reading options', 1, 2],
    ['handler', 3, 10],
    ['POST …/defer', 10, 2],
    ['POST …/response', 20, 4],
  ]);
});

it('draws no part before it begins', () => {
  const rows = command.rows.map((row) =>
    row.timings === undefined ? row : { ...row, timings: { ...row.timings, queueMs: -0.8 } },
  );
  const [queue, options] = barsOf({ ...command, rows });
  expect([queue?.tookMs, options?.fromMs]).toEqual([0, 0]);
});

it.each([
  ['POST /api/bot/v1/channels/11111111-2222-4333-8444-555555555555/messages', 'POST …/messages'],
  [
    'DELETE /api/bot/v1/channels/11111111-2222-4333-8444-555555555555/messages/11111111-2222-4333-8444-555555555556',
    'DELETE …/messages/…',
  ],
  [
    'PUT /api/bot/v1/channels/11111111-2222-4333-8444-555555555555/messages/11111111-2222-4333-8444-555555555556/reactions/%F0%9F%91%8D/@me',
    'PUT …/reactions/👍/@me',
  ],
  ['GET /api/bot/v1/commands?q=%FF', 'GET /commands?q=%FF'],
  ['APPLICATION_COMMAND /roll', 'APPLICATION_COMMAND /roll'],
])('shortens %j', (what, title) => {
  expect(shortTitle(what)).toBe(title);
});

it.each([
  ['{"a":[1]}', '{\n  "a": [\n    1\n  ]\n}'],
  ['{"a":', '{"a":'],
  ['host: x', 'host: x'],
])('shows %j with line breaks where it is JSON', (text, pretty) => {
  expect(prettyText(text)).toBe(pretty);
});
