import { readFixture } from '../read-fixture.js';
import type { Answer } from '../scripted-server.js';
import type { PlatformRequest } from './platform.js';

/** Number of times that each effect took place, by name: `send <channelId> <content>`. */
export type Effects = ReadonlyMap<string, number>;

export interface Routes {
  readonly effects: Effects;
  carryOut(request: PlatformRequest): Answer;
}

interface StoredMessage {
  readonly id: string;
  readonly channelId: string;
  readonly content: string;
  readonly createdAt: string;
}

type Handler = (ids: readonly string[], json: unknown) => Answer;

const me = readFixture('bot-me') as { readonly botUserId: string };
const message = readFixture('message') as object;
const ingress = readFixture('voice-ingress') as object;
const command = readFixture('command') as object;
const uploadSession = readFixture('upload-session') as object;

/** The body of a refusal (Bot Interface, "Errors"). */
export function refusal(code: string, details: object = {}): object {
  return { code, message: 'No.', details, requestId: 'req-1' };
}

const GONE: Answer = { status: 404, json: refusal('bot_not_found') };
const NO_ANSWER: Answer = { status: 404, json: refusal('bot_interaction_response_not_found') };
const ANSWERED: Answer = { status: 409, json: refusal('bot_interaction_already_answered') };

const contentOf = (json: unknown): string => String(Object(json).content ?? '');

/** The platform's memory: what a request changes, and what it is answered. `now` is its clock. */
export function createRoutes(now: () => number): Routes {
  const effects = new Map<string, number>();
  const messages: StoredMessage[] = [];
  const states = new Map<string, string>();
  let lastId = 0;

  const took = (name: string): void => void effects.set(name, (effects.get(name) ?? 0) + 1);

  /** Setting something to what it is already is no effect. */
  function set(name: string, value: string): void {
    if (states.get(name) !== value) took(`${name} ${value}`);
    states.set(name, value);
  }

  const show = ({ id, channelId, content, createdAt }: StoredMessage): object => ({
    ...message,
    id,
    channelId,
    content: states.get(`edit ${id}`) ?? content,
    authorId: me.botUserId,
    createdAt,
    editedAt: null,
  });

  function add(channelId: string, content: string): Answer {
    lastId += 1;
    const id = `00000000-0000-7000-8000-${String(lastId).padStart(12, '0')}`;
    const stored = { id, channelId, content, createdAt: new Date(now()).toISOString() };
    messages.push(stored);
    return { json: show(stored) };
  }

  const find = (id: string | undefined): StoredMessage | undefined =>
    messages.find((stored) => stored.id === id);

  const handlers: readonly (readonly [pattern: RegExp, handle: Handler])[] = [
    [/^GET \/users\/@me$/, () => ({ json: me })],
    [/^GET \/servers(\/[^/]+\/(channels|emojis))?$/, () => ({ json: [] })],
    [/^GET \/commands$/, () => ({ json: [command] })],
    [
      /^PUT \/commands$/,
      (_ids, json) => {
        set('commands', JSON.stringify(Object(json).commands));
        return { json: [] };
      },
    ],
    [
      /^GET \/channels\/([^/]+)\/messages$/,
      ([channelId]) => {
        const found = messages.filter((stored) => stored.channelId === channelId).toReversed();
        const page = found.slice(0, 50);
        const oldestId = page.at(-1)?.id ?? null;
        return { json: { messages: page.map(show), hasMore: found.length > 50, oldestId } };
      },
    ],
    [
      /^POST \/channels\/([^/]+)\/messages$/,
      ([channelId = ''], json) => {
        took(`send ${channelId} ${contentOf(json)}`);
        return add(channelId, contentOf(json));
      },
    ],
    [
      /^POST \/channels\/[^/]+\/messages\/attachments\/upload-session$/,
      () => ({ json: uploadSession }),
    ],
    [
      /^GET \/channels\/[^/]+\/messages\/([^/]+)$/,
      ([id]) => {
        const found = find(id);
        return found ? { json: show(found) } : GONE;
      },
    ],
    [
      /^PATCH \/channels\/[^/]+\/messages\/([^/]+)$/,
      ([id], json) => {
        const found = find(id);
        if (!found) return GONE;
        set(`edit ${id}`, contentOf(json));
        return { json: show(found) };
      },
    ],
    [
      /^DELETE \/channels\/[^/]+\/messages\/([^/]+)$/,
      ([id]) => {
        const found = find(id);
        if (!found) return GONE;
        messages.splice(messages.indexOf(found), 1);
        took(`delete ${id}`);
        return {};
      },
    ],
    [
      /^PUT \/channels\/[^/]+\/messages\/([^/]+)\/reactions\/me$/,
      ([id], json) => {
        set(`react ${id}`, String(Object(json).unicodeEmoji));
        return {};
      },
    ],
    [
      /^POST \/channels\/([^/]+)\/voice\/ingress$/,
      ([channelId]) => {
        took(`ingress ${channelId}`);
        states.set(`ingress ${channelId}`, 'open');
        return { json: { ...ingress, channelId } };
      },
    ],
    [
      /^DELETE \/channels\/([^/]+)\/voice\/ingress$/,
      ([channelId]) => (states.delete(`ingress ${channelId}`) ? {} : GONE),
    ],
    [
      /^POST \/interactions\/([^/]+)\/response$/,
      ([id = ''], json) => {
        if (states.has(`response ${id}`)) return ANSWERED;
        states.set(`response ${id}`, contentOf(json));
        took(`respond ${id}`);
        return add(id, contentOf(json));
      },
    ],
    [
      /^PATCH \/interactions\/([^/]+)\/response$/,
      ([id], json) => {
        if (!states.has(`response ${id}`)) return NO_ANSWER;
        set(`edit response ${id}`, contentOf(json));
        return {};
      },
    ],
    [
      /^POST \/interactions\/([^/]+)\/follow-ups$/,
      ([id = ''], json) => {
        took(`follow-up ${id} ${contentOf(json)}`);
        return add(id, contentOf(json));
      },
    ],
  ];

  return {
    effects,
    carryOut({ method, path, json }) {
      const line = `${method} ${path.split('?')[0]}`;
      for (const [pattern, handle] of handlers) {
        const found = pattern.exec(line);
        if (found) return handle(found.slice(1), json);
      }
      // Typing, acknowledging: doing it twice is doing it once.
      return {};
    },
  };
}
