// `/_sim/*`: actions of users and the state of the simulator, for the page. Not part of the Bot
// Interface.
import { isVirguleError } from '@virgule/core/errors';
import { isRecord } from '@virgule/core/objects';
import type { SimBotQuestion, SimFaults, SimTracePage } from '@virgule/core/simulator-api';
import {
  createBotMessageRequestSchema,
  createUploadSessionRequestSchema,
  editMessageRequestSchema,
  idSchema,
  messagePageQuerySchema,
  reactionMutationRequestSchema,
} from '@virgule/core/protocol';
import type { Faults } from '../faults/faults.js';
import { readFaults } from '../faults/read-faults.js';
import { downloadAnswer } from '../server/download-answer.js';
import { emptyAnswer, jsonAnswer, type Answer, type Incoming } from '../server/exchange.js';
import { createRouter, type Route } from '../server/router.js';
import {
  parseJson,
  readField,
  validateBody,
  validateIds,
  validateQuery,
} from '../server/validate.js';
import { exportArchive, exportLines } from '../trace/trace-export.js';
import type { Trace } from '../trace/trace.js';
import { channelOfUser, knownUser, liveMessage, requireKind } from '../world/access.js';
import { attachmentBytes, uploadFile } from '../world/attachments.js';
import { simMessage } from '../world/message-view.js';
import { deleteMessage, editMessage, sendMessage } from '../world/messages.js';
import { addReaction, removeReaction } from '../world/reactions.js';
import { forbidden, invalid, notFound, Refusal } from '../world/refusal.js';
import { simMessagePage, simSnapshot, simUpload } from '../world/sim-views.js';
import type { ChannelRecord, MessageRecord } from '../world/state.js';
import type { BotQuestionHandler } from '../simulator/simulator.js';
import { joinVoice, leaveAllVoice } from '../world/voice.js';
import type { World } from '../world/world.js';
import { PLACE_ROUTES } from './places-api.js';

/** Maximum size of a JSON body, in bytes. */
const MAX_BODY_BYTES = 64 * 1024;

/** As of the bot's endpoint, and `after` to read towards the newest message. */
const pageQuerySchema = messagePageQuerySchema.extend({ after: idSchema.optional() });

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
  /** Closes the sockets of the bot and returns their number. */
  readonly dropGateway: (code?: number) => number;
  /** What answers questions about the bot itself, if something does. */
  readonly bot: () => BotQuestionHandler | undefined;
  readonly trace: Trace;
  readonly faults: Faults;
}

interface ControlCall {
  readonly world: World;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON body; an empty object if the request has none, or a file. */
  readonly body: unknown;
  /** The body as it was sent. */
  readonly bytes: Buffer;
  readonly incoming: Incoming;
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
  faults,
}: ControlApiOptions): ControlApi {
  const router = createRouter([
    route('GET', '/_sim/state', () => jsonAnswer(200, describe())),
    route('GET', '/_sim/snapshot', () => jsonAnswer(200, simSnapshot(world))),
    route('GET', '/_sim/channels/{channelId}/messages', listMessages),
    route('GET', '/_sim/attachments/{attachmentId}', ({ parameters }) =>
      downloadAnswer(attachmentBytes(world, parameters['attachmentId'] ?? '')),
    ),
    route('POST', UPLOADS, (call) => createUpload(call, baseUrl())),
    route('POST', '/_sim/messages', createMessage),
    route('PATCH', '/_sim/messages/{messageId}', changeMessage),
    route('DELETE', '/_sim/messages/{messageId}', removeMessage),
    route('POST', '/_sim/reactions', react),
    route('POST', '/_sim/voice', changeVoice),
    route('POST', '/_sim/gateway/drop', ({ body }) =>
      jsonAnswer(200, { dropped: dropGateway(readCloseCode(world, body)) }),
    ),
    route('POST', '/_sim/bot', ({ body }) => askBot(bot(), body)),
    route('GET', '/_sim/faults', () => jsonAnswer(200, faults.state)),
    route('PUT', '/_sim/faults', ({ body }) => {
      faults.set(faultsIn(world, body));
      return jsonAnswer(200, faults.state);
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

function listMessages({ world, parameters, query }: ControlCall): Answer {
  const channelId = parameters['channelId'] ?? '';
  if (!world.state.channels.has(channelId)) throw notFound('channel', channelId);
  const { before, after, limit } = validateQuery(pageQuerySchema, query, world.profile);
  const messageOf = (id: string | undefined): MessageRecord | undefined => {
    const message = id === undefined ? undefined : world.state.messages.get(id);
    if (id !== undefined && message?.channelId !== channelId) throw notFound('message', id);
    return message;
  };
  const page = simMessagePage(world, channelId, {
    before: messageOf(before),
    after: messageOf(after),
    limit: Math.min(limit, world.profile.pageMax),
  });
  return jsonAnswer(200, page);
}

/** Returns the user and the channel of a body, or of the query of a request without a JSON body. */
function actorIn(
  { world, body: sent, query }: ControlCall,
  isInQuery = false,
): { channel: ChannelRecord; userId: string } {
  const body = isInQuery ? Object.fromEntries(query) : sent;
  const channelId = readField(body, 'channelId', idSchema, world.profile);
  const userId = readField(body, 'userId', idSchema, world.profile);
  return { channel: channelOfUser(world, channelId, userId), userId };
}

/** Stores the body as a file of the user. Its type is that of the request. */
function createUpload(call: ControlCall, baseUrl: string): Answer {
  const { world, bytes, incoming, query } = call;
  const { channel } = actorIn(call, true);
  requireKind(world, channel, 'text');
  const names = {
    fileName: readField(
      Object.fromEntries(query),
      'fileName',
      createUploadSessionRequestSchema.shape.fileName,
      world.profile,
    ),
    contentType: incoming.headers['content-type'] ?? 'application/octet-stream',
  };
  const upload = uploadFile(world, channel, { ...names, bytes });
  return jsonAnswer(200, simUpload(baseUrl, upload, bytes.length));
}

function createMessage(call: ControlCall): Answer {
  const { world, body } = call;
  const { channel, userId } = actorIn(call);
  const { replyToMessageId: reply, attachments: files } = createBotMessageRequestSchema.shape;
  const attachments = readField(body, 'attachments', files, world.profile);
  // A file needs no text (assumed).
  const isFileAlone = (attachments?.length ?? 0) > 0 && isRecord(body) && body['content'] === '';
  const content = isFileAlone
    ? ''
    : validateBody(editMessageRequestSchema, body, world.profile).content;
  const replyToMessageId = readField(body, 'replyToMessageId', reply, world.profile);
  const message = sendMessage(world, {
    channel,
    authorId: userId,
    content,
    replyToMessageId,
    attachments,
  });
  return jsonAnswer(200, simMessage(world, message));
}

/** Returns the message in the path, which must be one of the user. `userId` is in the body or the query. */
function ownMessage({ world, parameters, query, body }: ControlCall): MessageRecord {
  const messageId = parameters['messageId'] ?? '';
  const source = query.has('userId') ? Object.fromEntries(query) : body;
  const userId = readField(source, 'userId', idSchema, world.profile);
  const message = world.state.messages.get(messageId);
  if (message === undefined) throw notFound('message', messageId);
  const channel = channelOfUser(world, message.channelId, userId);
  liveMessage(world, channel, messageId);
  if (message.authorId !== userId) throw forbidden('The message belongs to another user.');
  return message;
}

function changeMessage(call: ControlCall): Answer {
  const { world, body } = call;
  const message = ownMessage(call);
  const { content } = validateBody(editMessageRequestSchema, body, world.profile);
  return jsonAnswer(200, simMessage(world, editMessage(world, message, content)));
}

function removeMessage(call: ControlCall): Answer {
  deleteMessage(call.world, ownMessage(call));
  return emptyAnswer();
}

function react(call: ControlCall): Answer {
  const { world, body } = call;
  const { channel, userId } = actorIn(call);
  const messageId = readField(body, 'messageId', idSchema, world.profile);
  const message = liveMessage(world, channel, messageId);
  const choice = validateBody(
    reactionMutationRequestSchema,
    // Users may omit the key that they do not use; bots may not.
    { unicodeEmoji: null, customEmojiId: null, ...(isRecord(body) ? body : {}) },
    world.profile,
  );
  const edit = isRecord(body) && body['remove'] === true ? removeReaction : addReaction;
  return jsonAnswer(200, simMessage(world, edit(world, message, userId, choice)));
}

function changeVoice(call: ControlCall): Answer {
  const { world, body } = call;
  if (readField(body, 'channelId', idSchema.nullable(), world.profile) === null) {
    const userId = readField(body, 'userId', idSchema, world.profile);
    leaveAllVoice(world, knownUser(world, userId).id);
  } else {
    const { channel, userId } = actorIn(call);
    joinVoice(world, channel, userId);
  }
  return emptyAnswer();
}

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

/** Returns a valid close code; `undefined`, like 1006, closes the connection abruptly. */
function readCloseCode(world: World, body: unknown): number | undefined {
  const code = isRecord(body) ? body['code'] : undefined;
  if (code === undefined || code === null || code === 1006) return undefined;
  const isSendable =
    typeof code === 'number' &&
    Number.isInteger(code) &&
    ((code >= 1000 && code <= 1014 && ![1004, 1005].includes(code)) ||
      (code >= 3000 && code <= 4999));
  if (!isSendable) throw invalid(world.profile, 'code', 'code must be a WebSocket close code.');
  return code;
}
