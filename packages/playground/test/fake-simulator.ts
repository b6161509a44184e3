import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { WebSocketServer, type WebSocket } from 'ws';
import type {
  SimAudio,
  SimBotQuestion,
  SimHandlerFile,
  SimFaults,
  SimFaultState,
  SimEvent,
  SimFrame,
  SimInteraction,
  SimMessage,
  SimSnapshot,
  SimUpload,
  SimTraceRow,
  SimTraceSection,
} from '@virgule/core/simulator-api';
import { parseDuration } from '@virgule/core/text';
import { DEADLINES } from './sample-bot.js';
import { PRESETS } from './sample-faults.js';
import {
  GENERAL,
  HISTORY,
  MUSIC,
  generalMessages,
  interaction,
  longHistory,
  message,
  snapshot,
} from './sample-world.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The oldest kept moment, and its time. */
export const FIRST_MOMENT = 100;
const PAST_MS = Date.UTC(2026, 10, 20, 10, 21, 7);

/** A request that changes something. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A file that a page uploaded. */
interface FakeFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/**
 * The server of the page in these tests: the HTTP and WebSocket interfaces of the simulator, with the test as the bot. The
 * simulator cannot take its place: it is built from this package, and makes no traces, moments and states on demand.
 */
export interface FakeSimulator {
  readonly url: string;
  /** Requests that change something, in order. */
  readonly requests: readonly SeenRequest[];
  /** Sends an event to every open page, and keeps its contents. */
  push(event: SimEvent): void;
  /** Adds the current world to the past. */
  keepMoment(): void;
  /** Replaces the messages of a channel. */
  setMessages(channelId: string, list: SimMessage[]): void;
  /** Changes the snapshot of the next connection. */
  setSnapshot(more: Partial<SimSnapshot>): void;
  /** Answers an interaction. */
  answer(run: SimInteraction, content: string): SimMessage;
  /** Sets the function that handles each command; without it, commands have no effect. */
  onCommand(handle: (run: SimInteraction) => void): void;
  /** Sets the function that answers questions about the tasks and storage of the bot. */
  onQuestion(answer: (question: SimBotQuestion) => unknown): void;
  /** Sets the audio that the bot publishes to voice channels. */
  setAudio(audio: (after: number) => SimAudio | null): void;
  /** Adds rows with the same details to the trace. */
  trace(rows: readonly SimTraceRow[], sections: readonly SimTraceSection[]): void;
  /** Refuses the next request that changes something. */
  refuseNext(status: number, body: Readonly<Record<string, unknown>>): void;
  /** The uploaded files, by object key. */
  readonly files: ReadonlyMap<string, FakeFile>;
  /** Closes every socket. New sockets are refused while `isDown` is set. */
  drop(isDown: boolean): void;
  close(): Promise<void>;
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = String(await readBytes(request));
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function sendPage(response: ServerResponse, pageDir: string, path: string): Promise<void> {
  const file = extname(path) === '' ? '/index.html' : path;
  const body = await readFile(join(pageDir, file)).catch(() => null);
  response.writeHead(body === null ? 404 : 200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    // Stricter than the policy of the simulator: a page that works here works there.
    'content-security-policy': "default-src 'self'; object-src 'none'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
  });
  response.end(body ?? 'not found');
}

const frameOf = (...events: SimFrame): string => JSON.stringify(events);

/** @param pageDir - folder of the built page. */
export async function startFakeSimulator(pageDir: string): Promise<FakeSimulator> {
  const messages = new Map<string, SimMessage[]>([
    [GENERAL.id, generalMessages()],
    [HISTORY.id, longHistory()],
  ]);
  const requests: SeenRequest[] = [];
  const files = new Map<string, FakeFile>();
  const sockets = new Set<WebSocket>();
  let current = snapshot();
  let handleCommand: (run: SimInteraction) => void = () => {};
  let refusal: { readonly status: number; readonly body: unknown } | null = null;
  let isDown = false;
  const snapshots = new Set<string>();
  /** Earlier states of the world, from moment 100 on. */
  const past: { snapshot: SimSnapshot; messages: Map<string, SimMessage[]> }[] = [];
  let faults: SimFaultState = { seed: '1', rules: [], presets: PRESETS };
  const conversations = new Map<string, string>();
  const trace: SimTraceRow[] = [];
  let traceSections: readonly SimTraceSection[] = [];
  let audio = (_after: number): SimAudio | null => null;
  let answerQuestion: ((question: SimBotQuestion) => unknown) | undefined;

  const remember = (event: SimEvent) => {
    if (event.type === 'message') {
      const list = messages.get(event.message.channelId) ?? [];
      const known = list.findIndex((item) => item.id === event.message.id);
      if (known === -1) list.push(event.message);
      else list[known] = event.message;
      messages.set(event.message.channelId, list);
    }
    if (event.type === 'interaction') {
      const others = current.interactions.filter((item) => item.id !== event.interaction.id);
      current = { ...current, interactions: [...others, event.interaction] };
    }
    if (event.type === 'commands') current = { ...current, commands: event.commands };
    if (event.type === 'bot') {
      const { bot } = event;
      const others = current.bots.filter((each) => each.botUserId !== bot.botUserId);
      // The first bot stays first.
      const bots = current.bot.botUserId === bot.botUserId ? [bot, ...others] : [...others, bot];
      current = { ...current, bots, bot: bots[0] ?? bot };
    }
    if (event.type === 'places') current = { ...current, ...event.places };
    if (event.type === 'clock') current = { ...current, clock: event.clock };
    if (event.type === 'problems') current = { ...current, problems: event.problems };
    if (event.type === 'voice') {
      const others = current.voice.filter((item) => item.channelId !== event.voice.channelId);
      current = { ...current, voice: [...others, event.voice] };
    }
  };
  const find = (messageId: string) =>
    [...messages.values()].flat().find((item) => item.id === messageId);
  const push = (event: SimEvent) => {
    const isNew = event.type === 'message' && find(event.message.id) === undefined;
    remember(event);
    for (const socket of sockets) socket.send(frameOf(isNew ? { ...event, isNew } : event));
  };
  const change = (messageId: string, more: Partial<SimMessage>) => {
    const found = find(messageId);
    if (found !== undefined) push({ type: 'message', message: { ...found, ...more } });
  };

  const react = (body: Readonly<Record<string, unknown>>) => {
    const found = find(String(body['message']));
    if (found === undefined) return;
    const isCustom = current.emojis.some(({ id }) => id === body['emoji']);
    const unicodeEmoji = isCustom ? undefined : body['emoji'];
    const customEmojiId = isCustom ? body['emoji'] : undefined;
    const same = (item: SimMessage['reactions'][number]) =>
      unicodeEmoji === undefined
        ? item.emoji.customEmojiId === customEmojiId
        : item.emoji.unicodeEmoji === unicodeEmoji;
    const known = found.reactions.find(same);
    const custom = current.emojis.find((item) => item.id === customEmojiId);
    const emoji =
      known?.emoji ??
      (custom === undefined
        ? { kind: 'unicode', unicodeEmoji: String(unicodeEmoji) }
        : { kind: 'custom', customEmojiId: custom.id, customEmojiName: custom.name });
    const userId = String(body['as']);
    const otherUsers = known?.userIds.filter((item) => item !== userId) ?? [];
    const userIds = body['remove'] === true ? otherUsers : [...otherUsers, userId];
    const me = userIds.includes(current.bot.botUserId);
    const others = found.reactions.filter((item) => !same(item));
    const changed = { emoji, count: userIds.length, me, userIds };
    change(found.id, { reactions: userIds.length === 0 ? others : [...others, changed] });
  };

  const attachmentsOf = (drafts: unknown): SimMessage['attachments'] =>
    (Array.isArray(drafts) ? drafts : []).flatMap((objectKey: string) => {
      const file = files.get(objectKey);
      if (file === undefined) return [];
      const { fileName, contentType, bytes } = file;
      const url = `/_sim/file?id=${objectKey}`;
      return [{ id: objectKey, fileName, contentType, size: bytes.length, url }];
    });
  const receiveFile = async (request: IncomingMessage, response: ServerResponse) => {
    const objectKey = `file-${files.size + 1}`;
    const body = await readJson(request);
    const fileName = String(body['name']);
    const { contentType: type } = body;
    const contentType = typeof type === 'string' ? type : 'application/octet-stream';
    const bytes = Buffer.from(String(body['base64']), 'base64');
    if (refusal !== null) {
      sendJson(response, refusal.status, refusal.body);
      refusal = null;
      return;
    }
    files.set(objectKey, { fileName, contentType, bytes });
    sendJson(response, 200, {
      objectKey,
      fileName,
      contentType,
      size: bytes.length,
      url: `http://127.0.0.1:7300/_files/uploads/${objectKey}/${encodeURIComponent(fileName)}`,
      expiresAt: new Date(Date.now() + 900_000).toISOString(),
    } satisfies SimUpload);
  };

  /** Adds or changes a user, server, channel or role. */
  const changePlace = (
    kind: 'users' | 'servers' | 'channels' | 'roles',
    id: string,
    body: object | null,
  ) => {
    const isNew = id === '';
    const { servers, channels, users, roles } = current;
    const places = { servers, channels, users, roles };
    const start = { ...places[kind][0], memberIds: [], botPermissions: [], id: `new-${kind}` };
    const list = isNew
      ? [...places[kind], { ...start, ...body }]
      : places[kind].flatMap((item) => {
          if (item.id !== id) return [item];
          return body === null ? [] : [{ ...item, ...body }];
        });
    push({ type: 'places', places: { ...places, [kind]: list } });
  };

  const changeWorld = (seen: SeenRequest): object => {
    const { path, body } = seen;
    const messageId = String(body['message']);
    const channelId = /^\/api\/channels\/(.+)\/interactions\/commands$/.exec(path)?.[1];
    const user = current.users.find((item) => item.id === body['as']);
    const kind = /^\/_sim\/(user|server|channel|role)$/.exec(path)?.[1];
    const { id: placeId = '', remove, ...values } = body;
    if (kind !== undefined)
      changePlace(`${kind}s` as 'users', String(placeId), remove === true ? null : values);
    if (path === '/_sim/bot' && remove === true) {
      const bots = current.bots.filter(({ botUserId }) => placeId !== botUserId);
      push({ type: 'snapshot', snapshot: { ...current, bots } });
    } else if (path === '/_sim/bot')
      push({
        type: 'bot',
        bot: { ...MUSIC, connected: false, username: String(body['username']) },
      });
    if (path === '/_sim/clock') {
      if (body['action'] === undefined) return { deadlines: DEADLINES };
      const pausedAtMs = body['action'] === 'pause' ? Date.now() : null;
      const skippedMs = parseDuration(String(body['time'])) ?? 0;
      const offsetMs = current.clock.offsetMs + skippedMs;
      push({ type: 'clock', clock: { offsetMs, pausedAtMs } });
    }
    if (path === '/_sim/snapshot') {
      if (body['action'] === 'delete') snapshots.delete(String(body['name']));
      if (body['action'] === 'save') snapshots.add(String(body['name']));
      return { names: [...snapshots] };
    }
    if (path === '/_sim/conversation') {
      const name = String(body['name']);
      if (typeof body['text'] === 'string') conversations.set(name, body['text']);
      if (body['name'] === undefined) return { names: [...conversations.keys()] };
      return { name, text: conversations.get(name) };
    }
    if (path === '/_sim/event') return { sockets: current.bot.connected ? 1 : 0 };
    if (path === '/_sim/say' && user !== undefined) {
      const replyTo = find(String(body['replyTo']));
      const sent = message(user, String(body['content']), {
        channelId: String(body['channel']),
        attachments: attachmentsOf(body['attachments']),
        replyTo: replyTo === undefined ? null : { messageId: replyTo.id },
      });
      push({ type: 'message', message: sent });
      return { message: sent };
    } else if (path === '/_sim/edit') {
      change(messageId, { content: String(body['content']), editedAt: new Date().toISOString() });
    } else if (path === '/_sim/delete') {
      change(messageId, { isDeleted: true, content: '' });
    } else if (path === '/_sim/react') {
      react(body);
    } else if (path === '/_sim/voice' && user !== undefined) {
      const at = current.voice[0];
      const others = at?.participants.filter((item) => item.userId !== user.id) ?? [];
      const { username, displayName } = user;
      const joined = [...others, { userId: user.id, username, displayName }];
      if (at === undefined) return {};
      const participants = body['leave'] === true ? others : joined;
      push({ type: 'voice', voice: { ...at, participants } });
    } else if (channelId !== undefined) {
      const actor = current.users.find((item) => `Bearer ${item.token}` === seen.authorization);
      const command = current.commands.find((item) => item.id === body['commandId']);
      const run = interaction({
        channelId,
        userId: actor?.id ?? 'unknown',
        botUserId: command?.botUserId ?? current.bot.botUserId,
        commandName: command?.name ?? 'unknown',
        rawInput: String(body['rawInput']),
        expiresAt: new Date(Date.now() + current.profile.answerWindowMs).toISOString(),
      });
      push({ type: 'interaction', interaction: run });
      handleCommand(run);
      return { interactionId: run.id };
    }
    return {};
  };

  const answerBot = (
    response: ServerResponse,
    question: SimBotQuestion,
    show = (value: unknown): unknown => value,
  ): void => {
    const value = answerQuestion?.(question);
    const none = { code: 'sim_no_bot', message: 'Only `virgule dev` shows them.' };
    sendJson(response, value === undefined ? 501 : 200, value === undefined ? none : show(value));
  };

  const sendMessages = (response: ServerResponse, url: URL): void => {
    const channelId = url.searchParams.get('channel') ?? '';
    const moment = past[Number(url.searchParams.get('moment')) - FIRST_MOMENT];
    const all = (moment?.messages ?? messages).get(channelId) ?? [];
    const before = url.searchParams.get('before');
    const after = url.searchParams.get('after');
    const limit = Number(url.searchParams.get('limit'));
    if (after !== null) {
      const first = all.findIndex((item) => item.id === after) + 1;
      const page = all.slice(first, first + limit);
      sendJson(response, 200, { messages: page, hasMore: first + limit < all.length });
      return;
    }
    const end = before === null ? all.length : all.findIndex((item) => item.id === before);
    const start = Math.max(0, end - limit);
    sendJson(response, 200, { messages: all.slice(start, end), hasMore: start > 0 });
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname.startsWith('/_files/emojis/')) {
      response.writeHead(200, { 'content-type': 'image/svg+xml' });
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1" fill="#b393f0"/></svg>',
      );
      return;
    }
    const file = files.get(url.pathname === '/_sim/file' ? (url.searchParams.get('id') ?? '') : '');
    if (file !== undefined) {
      response.writeHead(200, {
        'content-type': file.contentType,
        'content-disposition': 'attachment',
        'x-content-type-options': 'nosniff',
      });
      response.end(file.bytes);
    } else if (url.pathname === '/_sim/attach') {
      await receiveFile(request, response);
    } else if (url.pathname === '/_sim/audio') {
      sendJson(response, 200, { audio: audio(Number(url.searchParams.get('after'))) });
    } else if (url.pathname === '/_sim/faults') {
      // The contract guarantees the form of the request of the page.
      const { rules } = (await readJson(request)) as unknown as Partial<SimFaults>;
      if (rules !== undefined)
        faults = { ...faults, rules: rules.map((rule) => ({ ...rule, hits: 2 })) };
      sendJson(response, 200, faults);
    } else if (url.pathname === '/_sim/trace') {
      const after = Number(url.searchParams.get('after'));
      const rows = trace.filter(({ id }) => id > after);
      const lastId = trace.at(-1)?.id ?? 0;
      const page = { rows: rows.slice(0, 5_000), hasMore: rows.length > 5_000, firstId: 1, lastId };
      sendJson(response, 200, page);
    } else if (url.pathname === '/_sim/detail') {
      const row = trace.find(({ id }) => id === Number(url.searchParams.get('row')));
      sendJson(response, 200, { ...row, sections: traceSections });
    } else if (url.pathname === '/_sim/state') {
      const last = FIRST_MOMENT + past.length - 1;
      sendJson(response, 200, { past: { first: FIRST_MOMENT, last } });
    } else if (url.pathname === '/_sim/world') {
      const moment = past[Number(url.searchParams.get('moment')) - FIRST_MOMENT];
      const none = { code: 'bot_not_found', message: 'That moment is not kept.' };
      sendJson(response, moment === undefined ? 404 : 200, moment?.snapshot ?? none);
    } else if (url.pathname === '/_sim/messages') {
      sendMessages(response, url);
    } else if (url.pathname === '/_sim/tasks') {
      answerBot(response, { type: 'tasks' }, (tasks) => ({ tasks }));
    } else if (url.pathname === '/_sim/commands') {
      const answer = answerQuestion?.({ type: 'handlers' });
      const handlers: readonly SimHandlerFile[] = Array.isArray(answer) ? answer : [];
      const messages = handlers.filter((each) => each.message !== undefined);
      sendJson(response, 200, { commands: handlers, messages });
    } else if (url.pathname === '/_sim/storage') {
      const search = url.searchParams.get('search') ?? '';
      const after = url.searchParams.get('after') ?? undefined;
      answerBot(response, { type: 'storage', prefix: '', search, after });
    } else if (url.pathname === '/_sim/source') {
      const command = url.searchParams.get('command') ?? '';
      answerBot(response, { type: 'source', command });
    } else if (request.method === 'GET') {
      await sendPage(response, pageDir, url.pathname);
    } else {
      const seen: SeenRequest = {
        method: request.method ?? '',
        path: url.pathname,
        authorization: request.headers.authorization,
        body: await readJson(request),
      };
      // A request without an action or a text only reads.
      const isReading =
        (['/_sim/snapshot', '/_sim/clock'].includes(seen.path) &&
          seen.body['action'] === undefined) ||
        (seen.path === '/_sim/conversation' && seen.body['text'] === undefined);
      if (refusal !== null && !isReading) {
        sendJson(response, refusal.status, refusal.body);
        refusal = null;
        return;
      }
      if (seen.path === '/_sim/entry') {
        const { key, ...entry } = seen.body;
        answerBot(response, { type: 'set-entry', key: String(key), ...entry });
        return;
      }
      if (seen.path === '/_sim/task') {
        // The page sends the input of the action.
        answerBot(response, { type: 'task', ...seen.body } as SimBotQuestion);
        return;
      }
      if (!isReading) requests.push(seen);
      sendJson(response, 200, changeWorld(seen));
    }
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      sendJson(response, 500, { code: 'fake_failed', message: String(error) });
    });
  });
  const upgrade = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (isDown || request.url !== '/_ui') {
      socket.destroy();
      return;
    }
    upgrade.handleUpgrade(request, socket, head, (client) => {
      sockets.add(client);
      client.on('close', () => sockets.delete(client));
      client.send(frameOf({ type: 'snapshot', snapshot: current }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    files,
    push,
    trace(rows, sections) {
      // There are too many rows for arguments of one call.
      for (const row of rows) trace.push(row);
      // A smaller last id would look like a restart of the simulator.
      trace.sort((a, b) => a.id - b.id);
      traceSections = sections;
    },
    setAudio(given) {
      audio = given;
    },
    onQuestion(answer) {
      answerQuestion = answer;
    },
    setSnapshot(more) {
      current = { ...current, ...more };
    },
    answer(run, content) {
      const { botUserId, username, displayName } =
        current.bots.find((bot) => bot.botUserId === run.botUserId) ?? current.bot;
      const answer = message({ id: botUserId, username, displayName }, content, {
        channelId: run.channelId,
        interactionId: run.id,
      });
      push({ type: 'message', message: answer });
      push({
        type: 'interaction',
        interaction: {
          ...run,
          state: 'answered',
          expiresAt: null,
          responseMessageId: answer.id,
        },
      });
      return answer;
    },
    onCommand(handleNext) {
      handleCommand = handleNext;
    },
    refuseNext(status, body) {
      refusal = { status, body };
    },
    drop(down) {
      isDown = down;
      for (const socket of sockets) socket.terminate();
    },
    keepMoment() {
      const pausedAtMs = PAST_MS + past.length * 1_000;
      past.push({
        snapshot: { ...current, clock: { offsetMs: 0, pausedAtMs } },
        messages: new Map([...messages].map(([id, list]) => [id, [...list]])),
      });
    },
    setMessages: (channelId, list) => void messages.set(channelId, list),
    async close() {
      for (const socket of sockets) socket.terminate();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
