// Source: Bot Interface, "Authentication" and "Versioning".
import { describe, expect } from 'vitest';
import { ENDPOINT_TABLE, everyEndpoint } from './endpoint-table.js';
import { refused, testRules, text, type Rule } from './plain-bot.js';

const AUTHENTICATION: readonly Rule[] = [
  [
    'a bot token is generated after an application is created',
    async (bot) => {
      const { body } = await bot.api('GET', '/users/@me', undefined, `Bot ${bot.simulator.token}`);
      expect(text(body, 'applicationId')).toMatch(/^[\da-f-]{36}$/);
    },
  ],
  [
    'every REST request carries the header Authorization: Bot <ACCESS_TOKEN>',
    async (bot) => {
      const { token } = bot.simulator;
      for (const [number, method, path] of everyEndpoint())
        for (const header of [null, token, `Bearer ${token}`]) {
          const reply = await bot.api(method, path, undefined, header);
          expect([number, ...refused(reply)]).toEqual([number, 401, 'bot_unauthorized']);
        }
    },
  ],
  [
    'a request with an invalid token answers 401',
    async (bot) => {
      for (const [number, method, path] of everyEndpoint()) {
        const reply = await bot.api(method, path, undefined, `Bot ${bot.simulator.token}x`);
        expect([number, ...refused(reply)]).toEqual([number, 401, 'bot_unauthorized']);
      }
    },
  ],
  [
    'the gateway is authenticated by sending the token in the IDENTIFY frame',
    async (bot) => {
      const socket = await bot.connect({ identify: false });
      socket.send({ op: 'IDENTIFY', d: { token: 'wrong' } });
      await socket.closeCode();
      expect(socket.frames.map(({ op }) => op)).toEqual(['HELLO']);
      const accepted = await bot.connect({ identify: false });
      accepted.send({ op: 'IDENTIFY', d: { token: bot.simulator.token } });
      await accepted.frame(({ t }) => t === 'READY');
    },
  ],
  [
    'permissions in use by the bot: ManageMessages, ManageReactions; channel permission overrides limit what the bot sees',
    async (bot) => {
      const path = bot.adaWrites('general');
      const channelId = bot.channelId('general');
      await bot.change('channel', channelId, { botPermissions: [] });
      expect((await bot.api('GET', path)).status).toBe(200);
      expect((await bot.api('DELETE', `${path}/reactions`)).status).toBe(403);
      expect((await bot.api('DELETE', path)).status).toBe(403);
      await bot.change('channel', channelId, { visibleToBot: false });
      expect((await bot.api('GET', path)).status).toBe(404);
      const socket = await bot.connect();
      bot.adaWrites('general');
      expect(await socket.eventNames()).toEqual([]);
    },
  ],
  [
    'token lifetime, rotation and revocation: not shown (assumed: it stays valid)',
    async (bot) => {
      await bot.clock.advance(365 * 24 * 60 * 60_000);
      expect((await bot.api('GET', '/users/@me')).status).toBe(200);
    },
  ],
];

const VERSIONING: readonly Rule[] = [
  [
    'the bot REST interface carries its version in the path prefix /api/bot/v1',
    async (bot) => {
      const authorization = `Bot ${bot.simulator.token}`;
      const status = async (path: string) =>
        (await bot.raw('GET', path, { headers: { authorization } })).status;
      expect(await status('/api/bot/v1/users/@me')).toBe(200);
      expect(await status('/api/bot/v2/users/@me')).toBe(501);
      expect(await status('/api/bot/users/@me')).toBe(501);
    },
  ],
  [
    'the interface is described as 31 bot endpoints',
    async (bot) => {
      expect(ENDPOINT_TABLE).toHaveLength(31);
      // 501 is the status of an unknown route.
      for (const [number, method, path] of everyEndpoint()) {
        const { status } = await bot.api(method, path, method === 'GET' ? undefined : {});
        expect([number, status]).not.toEqual([number, 501]);
      }
    },
  ],
];

describe('authentication', () => {
  testRules(AUTHENTICATION);
});
describe('versioning', () => {
  testRules(VERSIONING);
});
