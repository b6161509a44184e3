import type { ReactionEmoji } from '@virgule/core/protocol';
import type {
  SimAudio,
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

export type PlaceKind = 'bot' | 'user' | 'server' | 'channel' | 'role';

/** A change of the clock of the world. */
export type ClockMove =
  | { readonly action: 'pause' | 'resume' | 'next' }
  | { readonly action: 'skip'; readonly time: string };

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
  /** Reads the names of the saved conversations. */
  readConversations(): Promise<readonly string[]>;
  readConversation(name: string): Promise<string>;
  saveConversation(name: string, text: string): Promise<void>;
  moveClock(move: ClockMove): Promise<void>;
  /** Sends the bot an event. Resolves with the number of its connections. */
  sendEvent(name: string, payload: object): Promise<number>;
  /** Closes the gateway connections of the bot. */
  dropGateway(): Promise<void>;
  /** Reads the files of the commands; the file of a command is absent without a process of the bot. */
  readCommandFiles(): Promise<readonly Partial<SimCommandFile>[]>;
  /** Asks the process of the bot, as do the methods below. */
  readTasks(): Promise<readonly SimTask[]>;
  /** Runs a task, or cancels or retries the run with an id. */
  changeTask(action: 'run' | 'cancel' | 'retry', name: string, payload?: unknown): Promise<void>;
  readStorage(prefix: string, after?: string): Promise<SimStoredPage>;
}

interface SnapshotNames {
  readonly names: readonly string[];
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
  /** Sends a request. Returns its response; `undefined` for one whose connection was closed. */
  const call = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await fetch(path, init).catch(() => null);
    if (response === null) throw unreachableError();
    const answer = await readBody(response).catch(() => undefined);
    if (!response.ok) throw toRequestError(response.status, answer);
    return answer;
  };
  const post = (path: string, body: object, token?: string): Promise<unknown> => {
    const headers = new Headers({ 'content-type': 'application/json' });
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return call(path, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  /** Returns a response of the simulator that served this page, which has the same types. */
  const known = async <Result>(response: Promise<unknown>): Promise<Result> => {
    const answer = await response;
    if (answer === undefined) throw unreachableError();
    return answer as Result;
  };
  /** Carries out an action of the control API that reads. */
  const read = <Result>(name: string, input: Record<string, string> = {}): Promise<Result> => {
    const query = new URLSearchParams(input).toString();
    return known(call(`/_sim/${name}${query === '' ? '' : `?${query}`}`, { method: 'GET' }));
  };
  /** Carries out an action that changes something. */
  const act = (name: string, input: object = {}): Promise<unknown> => post(`/_sim/${name}`, input);
  /** Carries out an act of a user, without waiting for the bot: the page sees what follows. */
  const actAs = (name: string, userId: string, input: object): Promise<unknown> =>
    act(name, { ...input, as: userId, seconds: 0 });

  return {
    readMessages: (channel, edge, moment) =>
      read('messages', {
        channel,
        limit: String(PAGE_LIMIT),
        ...edge,
        ...(moment !== undefined && { moment: String(moment) }),
      }),
    readPast: async () => (await read<{ past: SimPast }>('state')).past,
    readSnapshot: (moment) => read('world', { moment: String(moment) }),
    uploadFile: async ({ source, channelId: channel, userId: as, fileName: name }) =>
      known(
        act('attach', {
          name,
          base64: await toBase64(source),
          contentType: source.type || undefined,
          channel,
          as,
        }),
      ),
    readTrace: (after) => read('trace', { after: String(after) }),
    readTraceRow: (row) => read('detail', { row: String(row) }),
    async sendMessage({ channelId, userId, content, replyToMessageId, attachments }) {
      const sent = await known<{ message: SimMessage }>(
        actAs('say', userId, {
          content,
          channel: channelId,
          replyTo: replyToMessageId ?? undefined,
          attachments: attachments?.map(({ objectKey }) => objectKey),
        }),
      );
      return sent.message;
    },
    async editMessage(message, userId, content) {
      await actAs('edit', userId, { message, content });
    },
    async deleteMessage(message, userId) {
      await actAs('delete', userId, { message });
    },
    async react({ emoji, messageId: message, userId, remove }) {
      const which = emoji.customEmojiId ?? emoji.unicodeEmoji;
      await actAs('react', userId, { message, emoji: which, remove });
    },
    async moveVoice(userId, channel) {
      await actAs('voice', userId, channel === null ? { leave: true } : { channel });
    },
    readAudio: async (channel, after) =>
      (await read<{ audio: SimAudio | null }>('audio', { channel, after: String(after) })).audio,
    readFaults: () => known(act('faults')),
    setFaults: (faults) => known(act('faults', faults)),
    async changePlace(kind, id, body) {
      await act(kind, id === null ? body : { id, ...body });
    },
    async removePlace(kind, id) {
      await act(kind, { id, remove: true });
    },
    readSnapshots: async () => (await known<SnapshotNames>(act('snapshot'))).names,
    saveSnapshot: async (name) =>
      (await known<SnapshotNames>(act('snapshot', { action: 'save', name }))).names,
    async restoreSnapshot(name) {
      await act('snapshot', { action: 'restore', name });
    },
    deleteSnapshot: async (name) =>
      (await known<SnapshotNames>(act('snapshot', { action: 'delete', name }))).names,
    async resetWorld() {
      await act('reset');
    },
    readConversations: async () => (await known<SnapshotNames>(act('conversation'))).names,
    readConversation: async (name) =>
      (await known<{ text: string }>(act('conversation', { name }))).text,
    async saveConversation(name, text) {
      await act('conversation', { name, text });
    },
    async moveClock(move) {
      await act('clock', move);
    },
    sendEvent: async (event, payload) =>
      (await known<{ sockets: number }>(act('event', { event, payload }))).sockets,
    async dropGateway() {
      await act('drop');
    },
    readCommandFiles: async () =>
      (await read<{ commands: readonly SimCommandFile[] }>('commands')).commands,
    readTasks: async () => (await read<{ tasks: readonly SimTask[] }>('tasks')).tasks,
    async changeTask(action, name, payload) {
      await act('task', { action, name, payload });
    },
    readStorage: (prefix, after) =>
      read('storage', { prefix, ...(after !== undefined && { after }) }),
    runCommand: ({ channelId, user, commandId, rawInput }) =>
      known(
        post(
          `/api/channels/${encodeURIComponent(channelId)}/interactions/commands`,
          { commandId, rawInput },
          user.token,
        ),
      ),
  };
}

async function toBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  // A call takes a limited number of arguments.
  for (let from = 0; from < bytes.length; from += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(from, from + 0x8000));
  return btoa(binary);
}
