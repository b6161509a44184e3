import type { SimFaultPreset } from '@virgule/core/simulator-api';

export const PRESETS: readonly SimFaultPreset[] = [
  {
    name: 'rate limited',
    does: 'Answers with 429.',
    expected: 'The bot waits.',
    rules: [
      {
        name: 'too many requests',
        on: { request: 31 },
        do: { type: 'status', status: 429, retryAfter: 1 },
      },
    ],
  },
  {
    name: 'slow API',
    does: 'Delays every request.',
    expected: 'Answers come late.',
    rules: [{ name: 'slow', on: { request: '*' }, do: { type: 'delay', ms: 600 } }],
  },
];
