import { describe, expect, it } from 'vitest';
import { applicationCommandEventSchema, messageSchema } from '@virgule/core/protocol';
import { botInterfaceDialect } from './bot-interface-dialect.js';
import type { Dialect } from './dialect.js';
import { discordDialect } from './discord-dialect.js';

const INDEXES = [0x1_0000, 0x1_0001, 0x8000_0000, 0x8000_ffff];

interface Case {
  readonly dialect: Dialect;
  readonly gateway: string;
  readonly notGateway: string;
  readonly identify: unknown;
  readonly heartbeat: unknown;
  /** A request that answers the interaction with this id. */
  readonly answer: (id: string, content: string) => readonly [path: string, body: string];
  /** Body of a request that registers commands. */
  readonly put: (commands: readonly object[]) => unknown;
}

const cases: Record<string, Case> = {
  'Bot Interface': {
    dialect: botInterfaceDialect,
    gateway: '/gateway/bot',
    notGateway: '/api/bot/v1/users/@me',
    identify: 'IDENTIFY',
    heartbeat: 'HEARTBEAT',
    answer: (id, content) => [
      `/api/bot/v1/interactions/${id}/response`,
      JSON.stringify({ content }),
    ],
    put: (commands) => ({ commands }),
  },
  Discord: {
    dialect: discordDialect,
    gateway: '/?v=10&encoding=json',
    notGateway: '/api/v10/gateway/bot',
    identify: 2,
    heartbeat: 1,
    answer: (id, content) => [
      `/api/v10/interactions/${id}/interaction-token/callback?with_response=false`,
      JSON.stringify({ type: 4, data: { content } }),
    ],
    put: (commands) => commands,
  },
};

describe.each(Object.entries(cases))('the dialect of %s', (_name, of) => {
  const { dialect } = of;

  it('distinguishes the gateway from other paths', () => {
    expect(dialect.isGateway(of.gateway)).toBe(true);
    expect(dialect.isGateway(of.notGateway)).toBe(false);
  });

  it('knows the frames of a bot', () => {
    expect(dialect.frameKind(of.identify)).toBe('identify');
    expect(dialect.frameKind(of.heartbeat)).toBe('heartbeat');
    expect(dialect.frameKind('something else')).toBeUndefined();
    expect(dialect.frameKind(undefined)).toBeUndefined();
  });

  it('makes ids of one length, each with its own number', () => {
    const ids = INDEXES.map(dialect.idOf);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map(({ length }) => length)).size).toBe(1);
  });

  it.each(INDEXES)('reads back whose answer it is, of number %i', (index) => {
    const [path, body] = of.answer(dialect.idOf(index), 'Hello');
    expect(dialect.answerOf(path, body)).toEqual({ index, content: 'Hello' });
  });

  it('returns registered commands with ids', () => {
    const commands = [{ name: 'one' }, { name: 'two' }];
    const registered = JSON.parse(dialect.registered(JSON.stringify(of.put(commands))));
    expect(registered).toMatchObject(commands);
    expect(new Set(registered.map(({ id }: { id: string }) => id)).size).toBe(2);
  });

  it('treats nothing else as an answer', () => {
    expect(dialect.answerOf(of.notGateway, '')).toBeUndefined();
  });

  it('names its own id once in a message', () => {
    for (const index of INDEXES) {
      expect(JSON.stringify(dialect.message(index)).split(dialect.idOf(index))).toHaveLength(2);
    }
  });

  it('says how long the body of each answer is', () => {
    const answers = [
      dialect.accepted('A text'),
      dialect.other('GET', of.notGateway, 80),
      dialect.other('POST', '/somewhere', 80),
    ];
    for (const answer of answers) {
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      // A 204 has no body, and says so by its status alone.
      const length = head.includes(' 204 ') ? 0 : /content-length: (\d+)/.exec(head)?.[1];
      expect(Number(length)).toBe(body.length);
    }
  });
});

describe('the dialect of Bot Interface', () => {
  it('sends commands and messages as the platform document states them', () => {
    const command = botInterfaceDialect.command(0x1_0000, 'roll', { sides: 6, count: 2 });
    expect(applicationCommandEventSchema.parse((command as { d: unknown }).d)).toMatchObject({
      name: 'roll',
      rawInput: '/roll 6 2',
    });
    const { d } = botInterfaceDialect.message(0x1_0000) as { d: unknown };
    expect(messageSchema.parse(d).content).toContain('fox');
  });

  it('answers with the message, as is assumed', () => {
    const body: unknown = JSON.parse(
      botInterfaceDialect.accepted('7 of 9').split('\r\n\r\n')[1] ?? '',
    );
    expect(messageSchema.parse(body).content).toBe('7 of 9');
  });
});

describe('the dialect of Discord', () => {
  it('returns the URL of the gateway', () => {
    const answer = discordDialect.other('GET', '/api/v10/gateway/bot', 4711);
    expect(answer).toContain('"url":"ws://127.0.0.1:4711"');
  });

  it('does not treat the acknowledgement of a button as an answer', () => {
    const path = `/api/v10/interactions/${discordDialect.idOf(1)}/token/callback`;
    expect(discordDialect.answerOf(path, JSON.stringify({ type: 6 }))).toBeUndefined();
  });
});
