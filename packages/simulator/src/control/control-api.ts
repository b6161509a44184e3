// `/_sim/*`: actions of users and the state of the simulator, for the page. Not part of the Bot
// Interface.
import { isVirguleError } from '@virgule/core/errors';
import { isRecord } from '@virgule/core/objects';
import type {
  SimAudio,
  SimBotQuestion,
  SimFaults,
  SimTracePage,
} from '@virgule/core/simulator-api';
import * as z from 'zod';
import type { Faults } from '../faults/faults.js';
import { readFaults } from '../faults/read-faults.js';
import { isSendableCode } from '../gateway/close-codes.js';
import { downloadAnswer } from '../server/download-answer.js';
import { emptyAnswer, jsonAnswer, type Answer, type Incoming } from '../server/exchange.js';
import { createRouter, type Route } from '../server/router.js';
import { parseJson, readField, validateBody, validateIds } from '../server/validate.js';
import type { BotQuestionHandler } from '../simulator/simulator.js';
import type { SimClock } from '../simulator/sim-clock.js';
import type { Snapshots } from '../simulator/snapshots.js';
import { exportArchive, exportLines } from '../trace/trace-export.js';
import type { Trace } from '../trace/trace.js';
import { attachmentBytes } from '../world/attachments.js';
import type { Past } from '../world/past.js';
import { invalid, notFound, Refusal } from '../world/refusal.js';
import { simSnapshot } from '../world/sim-views.js';
import type { World } from '../world/world.js';
import {
  changeMessage,
  changeVoice,
  createMessage,
  createUpload,
  listMessages,
  react,
  readInteraction,
  removeMessage,
  type ControlCall,
} from './messages-api.js';
import { clockSchema, clockView, moveClock } from './clock-api.js';
import { PLACE_ROUTES } from './places-api.js';

/** Maximum size of a JSON body, in bytes. */
const MAX_BODY_BYTES = 64 * 1024;

/** The route whose body is a file. */
const UPLOADS = '/_sim/uploads';

export interface ControlApi {
  /** @throws Refusal when the request is rejected. */
  handle(incoming: Incoming): Promise<Answer>;
}

export interface ControlApiOptions {
  readonly world: World;
  /** Returns the URL at which the bot reaches the simulator. */
  readonly baseUrl: () => string;
  /** The body of GET /_sim/state. */
  readonly describe: () => object;
  /** Closes the sockets of all bots, or of one, and returns their number. */
  readonly dropGateway: (code?: number, bot?: string) => number;
  /** What answers questions about the bot itself, if something does. */
  readonly bot: () => BotQuestionHandler | undefined;
  readonly trace: Trace;
  readonly past: Past;
  readonly faults: Faults;
  readonly snapshots: Snapshots;
  readonly simClock: SimClock;
  /** Returns what was published to a voice channel. */
  readonly audio: (channelId: string, after: number) => SimAudio | null;
  /** Sends an event to all bots, or to one, and returns the number of sockets. */
  readonly sendEvent: (name: string, payload: object, bot?: string) => number;
}

type ControlHandler = (call: ControlCall) => Answer | Promise<Answer>;

const route = (method: string, path: string, value: ControlHandler): Route<ControlHandler> => ({
  method,
  path,
  value,
});

export function createControlApi({
  world,
  baseUrl,
  describe,
  dropGateway,
  bot,
  trace,
  past,
  faults,
  snapshots,
  simClock,
  audio,
  sendEvent,
}: ControlApiOptions): ControlApi {
  /** Returns the world of the moment that a query names, or the present one. */
  const worldIn = (query: URLSearchParams): World => {
    const moment = query.get('moment');
    return moment === null ? world : past.at(Number(moment));
  };

  const router = createRouter([
    route('GET', '/_sim/state', () => jsonAnswer(200, describe())),
    route('GET', '/_sim/past', () => jsonAnswer(200, past.range)),
    route('GET', '/_sim/snapshot', ({ query }) => jsonAnswer(200, simSnapshot(worldIn(query)))),
    route('GET', '/_sim/channels/{channelId}/messages', (call) =>
      listMessages({ ...call, world: worldIn(call.query) }),
    ),
    route('GET', '/_sim/attachments/{attachmentId}', ({ parameters }) =>
      downloadAnswer(attachmentBytes(world, parameters['attachmentId'] ?? '')),
    ),
    route('POST', UPLOADS, (call) => createUpload(call, baseUrl())),
    route('POST', '/_sim/messages', createMessage),
    route('PATCH', '/_sim/messages/{messageId}', changeMessage),
    route('DELETE', '/_sim/messages/{messageId}', removeMessage),
    route('POST', '/_sim/reactions', react),
    route('POST', '/_sim/voice', changeVoice),
    route('GET', '/_sim/voice/{channelId}/audio', ({ parameters, query }) => {
      const after = Math.trunc(Number(query.get('after') ?? 0)) || 0;
      return jsonAnswer(200, audio(parameters['channelId'] ?? '', Math.max(0, after)));
    }),
    route('POST', '/_sim/gateway/drop', ({ body }) =>
      jsonAnswer(200, { dropped: dropGateway(readCloseCode(world, body), readBot(world, body)) }),
    ),
    route('POST', '/_sim/gateway/event', ({ body }) => {
      const { t, d } = validateBody(eventSchema, body, world.profile);
      return jsonAnswer(200, { sockets: sendEvent(t, d, readBot(world, body)) });
    }),
    route('GET', '/_sim/clock', () => jsonAnswer(200, clockView(world))),
    route('POST', '/_sim/clock', ({ body }) => {
      moveClock(world, simClock, validateBody(clockSchema, body, world.profile));
      return jsonAnswer(200, clockView(world));
    }),
    route('POST', '/_sim/bot', ({ body }) => askBot(bot(), body)),
    route('GET', '/_sim/faults', () => jsonAnswer(200, faults.state)),
    route('PUT', '/_sim/faults', ({ body }) => {
      faults.set(faultsIn(world, body));
      return jsonAnswer(200, faults.state);
    }),
    route('GET', '/_sim/interactions/{interactionId}', readInteraction),
    route('POST', '/_sim/reset', () => {
      snapshots.reset();
      return emptyAnswer();
    }),
    route('GET', '/_sim/snapshots', () => jsonAnswer(200, { names: snapshots.names() })),
    route('POST', '/_sim/snapshots', ({ body }) => {
      snapshots.save(snapshotName(world, body));
      return jsonAnswer(200, { names: snapshots.names() });
    }),
    route('DELETE', '/_sim/snapshots', ({ body }) => {
      snapshots.remove(snapshotName(world, body));
      return jsonAnswer(200, { names: snapshots.names() });
    }),
    route('POST', '/_sim/snapshots/restore', ({ body }) => {
      snapshots.restore(snapshotName(world, body));
      return emptyAnswer();
    }),
    ...PLACE_ROUTES.map(([method, path, handle]) => route(method, path, handle)),
    route('GET', '/_sim/trace', ({ query }) => jsonAnswer(200, tracePage(trace, query))),
    route('GET', '/_sim/trace/detail', ({ query }) => {
      const id = query.get('id') ?? '';
      const detail = trace.detail(Number(id));
      if (detail === undefined) throw notFound('row of the trace', id);
      return jsonAnswer(200, detail);
    }),
    route('GET', '/_sim/trace.jsonl', () =>
      fileAnswer('trace.jsonl', 'application/x-ndjson', exportLines(trace)),
    ),
    route('GET', '/_sim/trace.har', ({ incoming: { origin } }) =>
      fileAnswer('trace.har', 'application/json', exportArchive(trace, origin)),
    ),
  ]);

  return {
    async handle(incoming) {
      const { method, path, query } = incoming;
      const match = router.match(method, path);
      if (match === undefined) {
        throw new Refusal(
          501,
          'sim_not_implemented',
          `${method} ${path} is not part of the control API.`,
        );
      }
      const { value: handler, parameters } = match;
      validateIds(parameters, world.profile);
      const isFile = path === UPLOADS;
      const maxBytes = isFile ? world.profile.uploadMaxBytes : MAX_BODY_BYTES;
      const bytes = method === 'GET' ? Buffer.alloc(0) : await incoming.body(maxBytes);
      const body = isFile || bytes.length === 0 ? {} : parseJson(bytes);
      return handler({ world, parameters, query, body, bytes, incoming });
    },
  };
}

function faultsIn(world: World, body: unknown): SimFaults {
  try {
    return readFaults(body);
  } catch (error) {
    if (!isVirguleError(error)) throw error;
    throw invalid(world.profile, String(error.details['field']), error.message);
  }
}

/** An event for the bot, as a frame has it; its payload may be anything. */
const eventSchema = z.strictObject({
  t: z.string().min(1).max(100),
  d: z.record(z.string(), z.unknown()),
  bot: z.string().optional(),
});

/** Becomes the name of a file. */
const snapshotNameSchema = z
  .string()
  .regex(/^[\w-][\w.-]{0,63}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"');

const snapshotName = (world: World, body: unknown): string =>
  readField(body, 'name', snapshotNameSchema, world.profile);

/** Maximum number of rows of the trace in one response. */
const MAX_TRACE_ROWS = 5_000;

function tracePage(trace: Trace, query: URLSearchParams): SimTracePage {
  const after = Math.max(0, Math.trunc(Number(query.get('after') ?? 0)) || 0);
  const limit = Math.trunc(Number(query.get('limit') ?? MAX_TRACE_ROWS)) || MAX_TRACE_ROWS;
  return trace.page(after, Math.min(Math.max(limit, 1), MAX_TRACE_ROWS));
}

const fileAnswer = (name: string, contentType: string, text: string): Answer => ({
  status: 200,
  headers: {
    'content-type': contentType,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  },
  body: text,
});

/** Passes a question on to the bot, which checks it. */
async function askBot(ask: BotQuestionHandler | undefined, body: unknown): Promise<Answer> {
  if (ask === undefined)
    throw new Refusal(
      501,
      'sim_no_bot',
      'Only `virgule dev` shows the tasks and storage of a bot.',
    );
  const answer = await ask(body as SimBotQuestion);
  if (answer === undefined)
    throw new Refusal(503, 'sim_bot_silent', 'The bot does not answer now: see the terminal.');
  if ('error' in answer) throw new Refusal(422, answer.error.code, answer.error.message);
  return jsonAnswer(200, answer.value);
}

/** Returns the username of the bot in a body; `undefined` for all bots. */
function readBot(world: World, body: unknown): string | undefined {
  const bot = isRecord(body) ? body['bot'] : undefined;
  if (bot === undefined) return undefined;
  const known = [...world.state.bots.values()].find(({ username }) => username === bot);
  if (known === undefined) throw notFound('bot', JSON.stringify(bot));
  return known.username;
}

/** Returns a valid close code; `undefined`, like 1006, closes the connection abruptly. */
function readCloseCode(world: World, body: unknown): number | undefined {
  const code = isRecord(body) ? body['code'] : undefined;
  if (code === undefined || code === null || code === 1006) return undefined;
  if (typeof code !== 'number' || !Number.isInteger(code) || !isSendableCode(code))
    throw invalid(world.profile, 'code', 'code must be a WebSocket close code.');
  return code;
}
