import type { SimFaultPreset } from '@virgule/core/simulator-api';

/** Faults that platforms have, and that every bot has to survive. */
export const PRESETS: readonly SimFaultPreset[] = [
  {
    name: 'flaky gateway',
    expected: 'The bot connects again, with a pause that grows, and handles no event twice.',
    disconnects: true,
    rules: [
      {
        name: 'the connection breaks',
        on: { frame: 'HEARTBEAT_ACK' },
        do: { type: 'close', code: 1012 },
        times: 2,
      },
    ],
  },
  {
    name: 'zombie socket',
    expected: 'The bot notices the missing acknowledgement and connects again.',
    disconnects: true,
    rules: [
      {
        name: 'the connection is dead',
        on: { frame: 'HEARTBEAT_ACK' },
        do: { type: 'silence' },
        times: 1,
      },
    ],
  },
  {
    name: 'rate limited',
    expected: 'The bot waits as long as it is asked to, and sends every answer once.',
    rules: [
      {
        name: 'too many requests',
        on: { request: 'interactions.respond' },
        do: { type: 'status', status: 429, retryAfter: 1 },
        times: 3,
      },
    ],
  },
  {
    name: 'API down',
    expected: 'The bot repeats what is safe to repeat, until the interaction expires.',
    rules: [
      {
        name: 'the service is away',
        on: { request: '*' },
        do: { type: 'status', status: 503, body: 'html' },
        forMs: 1_500,
      },
    ],
  },
  {
    name: 'slow API',
    expected: 'Answers come late, but once; slow commands are deferred in time.',
    rules: [
      {
        name: 'slow',
        on: { request: '*' },
        do: { type: 'delay', ms: 600, jitterMs: 300 },
      },
    ],
  },
  {
    name: 'lost answers',
    expected: 'The bot finds out whether an answer was written, and never writes it twice.',
    rules: [
      {
        name: 'cut after the effect',
        on: { request: 'interactions.respond' },
        do: { type: 'cut', when: 'after' },
        times: 2,
      },
    ],
  },
  {
    name: 'doubled events',
    expected: 'The bot handles every event once.',
    rules: [
      {
        name: 'commands sent twice',
        on: { frame: 'APPLICATION_COMMAND' },
        do: { type: 'duplicate' },
      },
      { name: 'messages sent twice', on: { frame: 'MESSAGE_CREATE' }, do: { type: 'duplicate' } },
    ],
  },
  {
    name: 'expired commands',
    expected: 'The answer is refused; the log names the command, and the next one works.',
    mayExpire: 1,
    rules: [
      {
        name: 'expired',
        on: { request: 'interactions.respond' },
        do: { type: 'expire' },
        times: 1,
      },
    ],
  },
  {
    name: 'bad day',
    expected: 'Nothing is lost and nothing is answered twice.',
    rules: [
      {
        name: 'errors',
        on: { request: '*' },
        do: { type: 'status', status: 502, body: 'html' },
        probability: 0.1,
      },
      {
        name: 'limits',
        on: { request: '*' },
        do: { type: 'status', status: 429, retryAfter: 1 },
        probability: 0.1,
      },
      {
        name: 'cuts',
        on: { request: '*' },
        do: { type: 'cut', when: 'after' },
        probability: 0.1,
      },
      {
        name: 'doubles',
        on: { frame: 'APPLICATION_COMMAND' },
        do: { type: 'duplicate' },
        probability: 0.3,
      },
    ],
  },
];
