import type { SimDeadline, SimStoredPage, SimTask } from '@virgule/core/simulator-api';

/** The tasks of a bot: one with a schedule, one without a schedule, and one without a file. */
export const TASKS: readonly SimTask[] = [
  {
    name: 'digest',
    file: 'tasks/digest.ts',
    schedule: 'cron 0 9 * * 1-5 Europe/Paris',
    canRun: true,
    payload: null,
    runs: [{ id: 'digest:1', state: 'scheduled', at: '2099-01-05T08:00:00.000Z' }],
    hasMore: false,
  },
  {
    name: 'gone',
    file: null,
    schedule: null,
    canRun: false,
    payload: null,
    runs: [{ id: 'gone:1', state: 'pending', at: '2026-01-05T08:00:00.000Z' }],
    hasMore: false,
  },
  {
    name: 'remind',
    file: 'tasks/remind.ts',
    schedule: null,
    canRun: true,
    payload: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    runs: [
      {
        id: 'remind:1',
        state: 'failed',
        at: '2026-01-05T08:00:00.000Z',
        payload: { text: '<b>tea</b>' },
        reason: 'There is no such channel.',
      },
      {
        id: 'remind:2',
        state: 'pending',
        at: '2099-01-05T10:00:00.000Z',
        attempt: 2,
        payload: { text: 'coffee' },
      },
    ],
    hasMore: true,
  },
];

export const DEADLINES: readonly SimDeadline[] = [
  { kind: 'answer', name: '/roll', at: '2099-01-05T07:00:00.000Z' },
  {
    kind: 'task',
    name: 'digest',
    at: '2099-01-05T08:00:00.000Z',
    timing: 'cron 0 9 * * * Europe/Paris',
  },
];

export const STORED: SimStoredPage = {
  entries: [
    {
      key: 'poll:1',
      value: '{"question":"Tea or coffee?","votes":[3,4]}',
      length: 43,
      expiresInMs: null,
    },
    { key: 'poll:2', value: '"long', length: 5_000, expiresInMs: null },
  ],
  hasMore: false,
};
