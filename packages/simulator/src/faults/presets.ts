import type { SimFaultPreset } from '@virgule/core/simulator-api';

/** Faults that occur on platforms, and that every bot has to survive. */
export const PRESETS: readonly SimFaultPreset[] = [
  {
    name: 'flaky gateway',
    does: 'Closes the connection instead of the next two heartbeat acknowledgements.',
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
    does: 'Keeps the connection open, but sends nothing any more.',
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
    does: 'Answers the next three responses to commands with 429 and "retry after 1 s".',
    expected: 'The bot waits for the requested time, and sends every answer once.',
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
    does: 'Answers every request with 503 for 1.5 s.',
    expected: 'The bot repeats safe requests until the interaction expires.',
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
    does: 'Delays every request by 300 to 900 ms.',
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
    does: 'Writes the next two responses to commands, but cuts the connection before the bot receives the result.',
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
    does: 'Sends every command and every message twice.',
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
    does: 'Lets the next command expire at the moment of its response.',
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
    does: 'Mixes random errors, rate limits, cut requests and doubled commands, at 10 to 30 %.',
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
