import type { ReactionEmoji } from '@virgule/core/protocol';
import type {
  SimAudio,
  SimBotQuestion,
  SimCommandFile,
  SimFaults,
  SimFaultState,
  SimMessage,
  SimMessagePage,
  SimPast,
  SimSnapshot,
  SimStoredPage,
  SimTask,
  SimUpload,
  SimTraceDetail,
  SimTracePage,
  SimUser,
} from '@virgule/core/simulator-api';
import { toRequestError, unreachableError } from './request-error.js';

/** Number of messages of a page. */
const PAGE_LIMIT = 50;

interface NewMessage {
  readonly channelId: string;
  readonly userId: string;
  readonly content: string;
  readonly replyToMessageId: string | null;
  readonly attachments?: readonly Pick<SimUpload, 'objectKey'>[];
}

interface NewFile {
  readonly channelId: string;
  readonly userId: string;
  readonly fileName: string;
  readonly source: Blob;
}

interface CommandRun {
  readonly channelId: string;
  readonly user: SimUser;
  readonly commandId: string;
  readonly rawInput: string;
}

interface ReactionChange {
  readonly channelId: string;
  readonly messageId: string;
  readonly userId: string;
  readonly emoji: ReactionEmoji;
  readonly remove: boolean;
}

/** Id of the message before or after which a page is. */
export type PageEdge = { readonly before: string } | { readonly after: string };

export type PlaceKind = 'bots' | 'users' | 'servers' | 'channels' | 'roles';

/** A change of the clock of the world. */
export type ClockMove =
  | { readonly pause: boolean }
  | { readonly skipMs: number }
  | { readonly skipTo: 'next-deadline' };

/** Requests to the simulator. Every method throws `RequestError` when the request is rejected. */
export interface SimApi {
  /** Reads the page next to a message; the newest page if `edge` is null. `moment` is one of the past. */
  readMessages(channelId: string, edge: PageEdge | null, moment?: number): Promise<SimMessagePage>;
  readPast(): Promise<SimPast>;
  readSnapshot(moment: number): Promise<SimSnapshot>;
  uploadFile(file: NewFile): Promise<SimUpload>;
  sendMessage(message: NewMessage): Promise<SimMessage>;
  editMessage(messageId: string, userId: string, content: string): Promise<void>;
  deleteMessage(messageId: string, userId: string): Promise<void>;
  react(change: ReactionChange): Promise<void>;
  /** Joins a voice channel; leaves all of them if `channelId` is null. */
  moveVoice(userId: string, channelId: string | null): Promise<void>;
  /** Reads what a bot publishes to a voice channel, from packet number `after` on; null if nothing does. */
  readAudio(channelId: string, after: number): Promise<SimAudio | null>;
  /** Runs a command as the user, with the endpoint of the platform. Resolves with the id of its interaction. */
  runCommand(run: CommandRun): Promise<{ readonly interactionId: string }>;
  /** Reads rows of the trace after the one with the given id. */
  readTrace(afterId: number): Promise<SimTracePage>;
  readTraceRow(id: number): Promise<SimTraceDetail>;
  readFaults(): Promise<SimFaultState>;
  setFaults(faults: SimFaults): Promise<SimFaultState>;
  /** Changes a user, server, channel or role; adds one if `id` is null. */
  changePlace(kind: PlaceKind, id: string | null, body: object): Promise<void>;
  /** Deletes a user, server, channel or role. */
  removePlace(kind: PlaceKind, id: string): Promise<void>;
  /** Reads the names of the snapshots. */
  readSnapshots(): Promise<readonly string[]>;
  /** Saves the world. Resolves with the names of the snapshots, as does `deleteSnapshot`. */
  saveSnapshot(name: string): Promise<readonly string[]>;
  restoreSnapshot(name: string): Promise<void>;
  deleteSnapshot(name: string): Promise<readonly string[]>;
  resetWorld(): Promise<void>;
  moveClock(move: ClockMove): Promise<void>;
  /** Sends the bot an event. Resolves with the number of its connections. */
  sendEvent(name: string, payload: object): Promise<number>;
  /** Closes the gateway connections of the bot. */
  dropGateway(): Promise<void>;
  /** Asks the bot's own process about its tasks and storage. */
  askBot<Question extends SimBotQuestion>(question: Question): Promise<AnswerOf<Question['type']>>;
}

interface Answers {
  readonly commands: readonly SimCommandFile[];
  readonly tasks: readonly SimTask[];
  readonly storage: SimStoredPage;
}
type AnswerOf<Type> = Type extends keyof Answers ? Answers[Type] : unknown;

interface SnapshotNames {
  readonly names: readonly string[];
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Sent as JSON, unless it is a file. */
  readonly body?: unknown;
  readonly token?: string | undefined;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function createSimApi(fetch: typeof globalThis.fetch): SimApi {
  const call = async ({ method, path, body, token }: Call): Promise<unknown> => {
    const headers = new Headers();
    const isFile = body instanceof Blob;
    if (isFile) headers.set('content-type', body.type || 'application/octet-stream');
    else if (body !== undefined) headers.set('content-type', 'application/json');
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = isFile ? body : JSON.stringify(body);
    const response = await fetch(path, init).catch(() => null);
    if (response === null) throw unreachableError();
    const answer = await readBody(response).catch(() => undefined);
    if (!response.ok) throw toRequestError(response.status, answer);
    return answer;
  };
  const id = encodeURIComponent;
  /** Returns the answer of the simulator that served this page, which has the same types. */
  const ask = async <Result>(asked: Call): Promise<Result> => {
    const answer = await call(asked);
    // The connection was closed during the response.
    if (answer === undefined) throw unreachableError();
    return answer as Result;
  };
  const read = <Result>(path: string): Promise<Result> => ask({ method: 'GET', path });

  return {
    async readMessages(channelId, edge, moment) {
      const query = new URLSearchParams({ limit: String(PAGE_LIMIT), ...edge });
      if (moment !== undefined) query.set('moment', String(moment));
      return read(`/_sim/channels/${id(channelId)}/messages?${query}`);
    },
    readPast: () => read('/_sim/past'),
    readSnapshot: (moment) => read(`/_sim/snapshot?moment=${moment}`),
    async uploadFile({ source, ...names }) {
      const path = `/_sim/uploads?${new URLSearchParams(names)}`;
      const upload = await call({ method: 'POST', path, body: source });
      // The connection was closed during the response.
      if (upload === undefined) throw unreachableError();
      // The simulator that served this page has the same types.
      return upload as SimUpload;
    },
    readTrace: (afterId) => read(`/_sim/trace?after=${afterId}`),
    readTraceRow: (rowId) => read(`/_sim/trace/detail?id=${rowId}`),
    sendMessage: (message) => ask({ method: 'POST', path: '/_sim/messages', body: message }),
    async editMessage(messageId, userId, content) {
      const path = `/_sim/messages/${id(messageId)}`;
      await call({ method: 'PATCH', path, body: { userId, content } });
    },
    async deleteMessage(messageId, userId) {
      const path = `/_sim/messages/${id(messageId)}?userId=${id(userId)}`;
      await call({ method: 'DELETE', path });
    },
    async react({ emoji, channelId, messageId, userId, remove }) {
      const which =
        emoji.customEmojiId === undefined
          ? { unicodeEmoji: emoji.unicodeEmoji }
          : { customEmojiId: emoji.customEmojiId };
      const body = { channelId, messageId, userId, ...which, ...(remove ? { remove } : {}) };
      await call({ method: 'POST', path: '/_sim/reactions', body });
    },
    async moveVoice(userId, channelId) {
      await call({ method: 'POST', path: '/_sim/voice', body: { channelId, userId } });
    },
    readAudio: (channelId, after) => read(`/_sim/voice/${id(channelId)}/audio?after=${after}`),
    readFaults: () => read('/_sim/faults'),
    setFaults: (faults) => ask({ method: 'PUT', path: '/_sim/faults', body: faults }),
    async changePlace(kind, placeId, body) {
      if (placeId === null) await call({ method: 'POST', path: `/_sim/${kind}`, body });
      else await call({ method: 'PATCH', path: `/_sim/${kind}/${id(placeId)}`, body });
    },
    async removePlace(kind, placeId) {
      await call({ method: 'DELETE', path: `/_sim/${kind}/${id(placeId)}` });
    },
    readSnapshots: async () => (await read<SnapshotNames>('/_sim/snapshots')).names,
    saveSnapshot: async (name) =>
      (await ask<SnapshotNames>({ method: 'POST', path: '/_sim/snapshots', body: { name } })).names,
    async restoreSnapshot(name) {
      await call({ method: 'POST', path: '/_sim/snapshots/restore', body: { name } });
    },
    deleteSnapshot: async (name) =>
      (await ask<SnapshotNames>({ method: 'DELETE', path: '/_sim/snapshots', body: { name } }))
        .names,
    async resetWorld() {
      await call({ method: 'POST', path: '/_sim/reset', body: {} });
    },
    async moveClock(move) {
      await call({ method: 'POST', path: '/_sim/clock', body: move });
    },
    async sendEvent(name, payload) {
      const path = '/_sim/gateway/event';
      return (
        await ask<{ sockets: number }>({ method: 'POST', path, body: { t: name, d: payload } })
      ).sockets;
    },
    async dropGateway() {
      await call({ method: 'POST', path: '/_sim/gateway/drop', body: {} });
    },
    askBot: (question) => ask({ method: 'POST', path: '/_sim/bot', body: question }),
    runCommand: ({ channelId, user, commandId, rawInput }) =>
      ask({
        method: 'POST',
        path: `/api/channels/${id(channelId)}/interactions/commands`,
        body: { commandId, rawInput },
        token: user.token,
      }),
  };
}
