// A bot without any library: `fetch` for REST, a plain WebSocket for the gateway, on the port of a simulator.
import { expect, it } from 'vitest';
import type { SimulatorOptions } from '@virgule/simulator';
import { openPlatform, type Platform } from '../open-platform.js';
import { multipart } from '../upload-file.js';

/** A response, with its JSON parsed. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON; undefined for an empty body. */
  readonly body: unknown;
}

export interface PlainBot extends Platform {
  /** Sends a request below `/api/bot/v1`. By default, with the header of a valid bot. */
  api(
    method: string,
    path: string,
    body?: unknown,
    authorization?: string | null,
  ): Promise<PlainAnswer>;
  /** Sends a request to any path, like another program. */
  raw(method: string, path: string, init?: RequestInit): Promise<PlainAnswer>;
  /** Changes a record of the world, such as `channels`, through the control API. */
  change(kind: 'channel' | 'server', id: string, values: object): Promise<void>;
  /** Sends a file to an upload session, by the rules of the Bot Interface. */
  upload(session: unknown, file: string): Promise<PlainAnswer>;
  /** Sends a message with a file by rule 6 of the endpoints, and returns the message. */
  sendFile(file: string): Promise<unknown>;
  /** Runs /ask as Ada in #general, through the endpoint for users, and returns the id of the interaction. */
  runAsk(rawInput?: string): Promise<string>;
  /** Writes a message as Ada and returns its path below `/api/bot/v1`. */
  adaWrites(channel?: string): string;
  /** Writes a message as the bot and returns its path below `/api/bot/v1`. */
  botWrites(channel?: string, content?: string): Promise<string>;
  /** Returns the names of the users in a voice channel, from endpoint 24. */
  inVoice(channel: string): Promise<readonly string[]>;
}

/** Opens a simulator for one test. */
export async function openPlainBot(options?: SimulatorOptions): Promise<PlainBot> {
  const platform = await openPlatform(options);
  const { simulator } = platform;

  async function raw(method: string, path: string, init: RequestInit = {}): Promise<PlainAnswer> {
    const response = await fetch(new URL(path, simulator.baseUrl), { method, ...init });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const body: unknown = isJson ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, body };
  }

  const json = (body: unknown, authorization: string | null): RequestInit => ({
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(authorization === null ? {} : { authorization }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

  const bot: PlainBot = {
    ...platform,
    raw,
    api: (method, path, body, authorization = `Bot ${simulator.token}`) =>
      raw(method, `/api/bot/v1${path}`, json(body, authorization)),
    async change(kind, id, values) {
      const { status } = await raw('POST', `/_sim/${kind}`, json({ id, ...values }, null));
      expect(status).toBe(200);
    },
    upload(session, file) {
      // Endpoint 19 returns an object of strings.
      const fields = at(session, 'fields') as Record<string, string>;
      const { headers, body } = multipart(fields, [Buffer.from(file)]);
      return raw('POST', text(session, 'uploadUrl'), { headers, body: new Uint8Array(body) });
    },
    async sendFile(file) {
      const messages = `/channels/${bot.channelId('general')}/messages`;
      const named = { fileName: 'a.txt', contentType: 'text/plain', size: file.length };
      const session = await bot.api('POST', `${messages}/attachments/upload-session`, named);
      expect((await bot.upload(session.body, file)).status).toBe(200);
      const attachments = [{ objectKey: text(session.body, 'objectKey') }];
      await bot.api('POST', messages, { content: 'A file', attachments });
      const { body } = await bot.api('GET', `${messages}?limit=1`);
      return at(body, 'messages', 0);
    },
    async runAsk(rawInput = '/ask why') {
      const commands = [{ name: 'ask', description: 'Asks', options: [] }];
      await bot.api('PUT', '/commands', { commands });
      const { body } = await bot.api('GET', '/commands');
      const commandId = at(body, 0, 'id');
      const path = `/api/channels/${bot.channelId('general')}/interactions/commands`;
      const user = `Bearer ${simulator.userToken}`;
      const { status } = await raw('POST', path, json({ commandId, rawInput }, user));
      expect(status).toBe(200);
      return simulator.snapshot().interactions.at(-1)?.id ?? '';
    },
    adaWrites(channel = 'general') {
      const { channelId, id } = simulator.sendMessage({ channel, content: 'Hello', as: 'ada' });
      return `/channels/${channelId}/messages/${id}`;
    },
    async botWrites(channel = 'general', content = 'Mine') {
      const messages = `/channels/${bot.channelId(channel)}/messages`;
      const { status } = await bot.api('POST', messages, { content });
      expect(status).toBe(200);
      const { body } = await bot.api('GET', `${messages}?limit=1`);
      return `${messages}/${text(body, 'messages', 0, 'id')}`;
    },
    async inVoice(channel) {
      const { body } = await bot.api('GET', `/servers/${bot.serverId('Sandbox')}/voice-state`);
      const channels = list(at(body, 'channels'));
      const found = channels.find((each) => at(each, 'channelId') === bot.channelId(channel));
      return list(at(found, 'participants')).map((each) => text(each, 'username'));
    },
  };
  return bot;
}

/** Returns the value at a path of keys. */
export function at(value: unknown, ...keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  );
}

/** Returns the string at a path of keys. */
export function text(value: unknown, ...keys: readonly (string | number)[]): string {
  const found = at(value, ...keys);
  if (typeof found !== 'string') throw new TypeError(`${keys.join('.')} is ${typeof found}`);
  return found;
}

/** Returns a value as a list; an absent value as an empty list. */
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Expects the error body of the Bot Interface, and returns its status and code. */
export function refused({ status, body }: PlainAnswer): readonly [status: number, code: string] {
  expect(body).toEqual({
    code: expect.any(String),
    message: expect.any(String),
    details: expect.any(Object),
    requestId: expect.any(String),
  });
  return [status, text(body, 'code')];
}

/** The sentence of a rule in the Bot Interface, and a test of the rule. */
export type Rule = readonly [sentence: string, test: (bot: PlainBot) => Promise<void>];

/** Adds one test for each rule of a section, numbered as in the Bot Interface. */
export function testRules(rules: readonly Rule[]): void {
  for (const [index, [sentence, test]] of rules.entries()) {
    it(`${index + 1}. ${sentence}`, async () => {
      expect.hasAssertions();
      await test(await openPlainBot());
    });
  }
}
