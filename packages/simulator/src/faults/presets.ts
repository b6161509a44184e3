import type { SimFaultPreset, SimFaultRule } from '@virgule/core/simulator-api';

const ANY_REQUEST = { request: '*' };
const ANSWER = { request: 'interactions.respond' };
const COMMAND = { frame: 'APPLICATION_COMMAND' };
const HEARTBEAT_ACK = { frame: 'HEARTBEAT_ACK' };

const LIMITED = { type: 'status', status: 429, retryAfter: 1 } as const;
const AWAY = { type: 'status', status: 503, body: 'html' } as const;

const TENTH = { probability: 0.1 };

const rule = (
  name: string,
  on: SimFaultRule['on'],
  effect: SimFaultRule['do'],
  limits: Omit<SimFaultRule, 'name' | 'on' | 'do'> = {},
): SimFaultRule => ({ name, on, do: effect, ...limits });

/** Faults that occur on platforms, and that every bot has to survive. */
export const PRESETS: readonly SimFaultPreset[] = [
  {
    name: 'flaky gateway',
    does: 'Closes the connection instead of the next two heartbeat acknowledgements.',
    expected: 'The bot connects again, with a pause that grows, and handles no event twice.',
    rules: [
      rule('the connection breaks', HEARTBEAT_ACK, { type: 'close', code: 1012 }, { times: 2 }),
    ],
  },
  {
    name: 'zombie socket',
    does: 'Keeps the connection open, but sends nothing any more.',
    expected: 'The bot notices the missing acknowledgement and connects again.',
    rules: [rule('the connection is dead', HEARTBEAT_ACK, { type: 'silence' }, { times: 1 })],
  },
  {
    name: 'rate limited',
    does: 'Answers the next three responses to commands with 429 and "retry after 1 s".',
    expected: 'The bot waits for the requested time, and sends every answer once.',
    rules: [rule('too many requests', ANSWER, LIMITED, { times: 3 })],
  },
  {
    name: 'API down',
    does: 'Answers every request with 503 for 1.5 s.',
    expected: 'The bot repeats safe requests until the interaction expires.',
    rules: [rule('the service is away', ANY_REQUEST, AWAY, { forMs: 1_500 })],
  },
  {
    name: 'slow API',
    does: 'Delays every request by 300 to 900 ms.',
    expected: 'Answers come late, but once; slow commands are deferred in time.',
    rules: [rule('slow', ANY_REQUEST, { type: 'delay', ms: 600, jitterMs: 300 })],
  },
  {
    name: 'lost answers',
    does: 'Writes the next two responses to commands, but cuts the connection before the bot receives the result.',
    expected: 'The bot finds out whether an answer was written, and never writes it twice.',
    rules: [rule('cut after the effect', ANSWER, { type: 'cut', when: 'after' }, { times: 2 })],
  },
  {
    name: 'doubled events',
    does: 'Sends every command and every message twice.',
    expected: 'The bot handles every event once.',
    rules: [
      rule('commands sent twice', COMMAND, { type: 'duplicate' }),
      rule('messages sent twice', { frame: 'MESSAGE_CREATE' }, { type: 'duplicate' }),
    ],
  },
  {
    name: 'expired commands',
    does: 'Lets the next command expire at the moment of its response.',
    expected: 'The answer is refused; the log names the command, and the next one works.',
    mayExpire: 1,
    rules: [rule('expired', ANSWER, { type: 'expire' }, { times: 1 })],
  },
  {
    name: 'bad day',
    does: 'Mixes random errors, rate limits, cut requests and doubled commands, at 10 to 30 %.',
    expected: 'Nothing is lost and nothing is answered twice.',
    rules: [
      rule('errors', ANY_REQUEST, { type: 'status', status: 502, body: 'html' }, TENTH),
      rule('limits', ANY_REQUEST, LIMITED, TENTH),
      rule('cuts', ANY_REQUEST, { type: 'cut', when: 'after' }, TENTH),
      rule('doubles', COMMAND, { type: 'duplicate' }, { probability: 0.3 }),
    ],
  },
];
