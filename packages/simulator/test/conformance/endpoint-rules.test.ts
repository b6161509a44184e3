// Source: Bot Interface, "Behaviour rules per endpoint".
import { describe, expect } from 'vitest';
import { at, list, refused, testRules, text, type PlainBot, type Rule } from './plain-bot.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const THUMB = { unicodeEmoji: '👍', customEmojiId: null };
const DENIED = [403, 'bot_forbidden'];

const names = (items: unknown): readonly string[] => list(items).map((each) => text(each, 'name'));

/** Adds a reaction of Ada to a message of Ada. */
function reactedMessage(bot: PlainBot, channel: string): string {
  const path = bot.adaWrites(channel);
  bot.simulator.react({ messageId: path.split('/').at(-1) ?? '', emoji: '👍', as: 'ada' });
  return path;
}

/** Sends a request for a message with a reaction under each set of permissions, and returns the statuses. */
async function byPermission(bot: PlainBot, request: (path: string) => Promise<number>) {
  const statuses: Record<string, number> = {};
  for (const botPermissions of [[], ['ManageMessages'], ['ManageReactions']]) {
    await bot.change('channel', bot.channelId('general'), { botPermissions });
    statuses[botPermissions[0] ?? 'none'] = await request(reactedMessage(bot, 'general'));
  }
  return statuses;
}

const RULES: readonly Rule[] = [
  [
    '#1: an invalid token answers 401; it is meant as the first call after connecting',
    async (bot) => {
      await bot.connect();
      expect((await bot.api('GET', '/users/@me')).status).toBe(200);
      for (const header of ['Bot wrong', 'Bot ', `Bearer ${bot.simulator.token}`])
        expect((await bot.api('GET', '/users/@me', undefined, header)).status).toBe(401);
    },
  ],
  [
    '#2: only servers where a user installed the bot appear',
    async (bot) => {
      const servers = async () => names((await bot.api('GET', '/servers')).body);
      const botIds = [bot.simulator.snapshot().bot.botUserId];
      expect(await servers()).toEqual(['Sandbox', 'Second']);
      await bot.change('server', bot.serverId('Elsewhere'), { botIds });
      expect(await servers()).toEqual(['Sandbox', 'Second', 'Elsewhere']);
      await bot.change('server', bot.serverId('Second'), { botIds: [] });
      expect(await servers()).toEqual(['Sandbox', 'Elsewhere']);
    },
  ],
  [
    '#3: channels the bot cannot see are omitted; channel permission overrides apply',
    async (bot) => {
      const path = `/servers/${bot.serverId('Sandbox')}/channels`;
      const channels = async () => names((await bot.api('GET', path)).body);
      expect(await channels()).toContain('bot-spam');
      expect(await channels()).not.toContain('hidden');
      await bot.change('channel', bot.channelId('bot-spam'), { visibleToBot: false });
      await bot.change('channel', bot.channelId('hidden'), { visibleToBot: true });
      expect(await channels()).not.toContain('bot-spam');
      expect(await channels()).toContain('hidden');
    },
  ],
  [
    '#4: the customEmojiId used for reacting comes from this list',
    async (bot) => {
      const { body } = await bot.api('GET', `/servers/${bot.serverId('Sandbox')}/emojis`);
      expect(names(body)).toEqual(['party', 'ok', 'wave']);
      expect(list(body).map((each) => at(each, 'isExternal'))).toEqual([false, false, true]);
      const path = `${bot.adaWrites()}/reactions/me`;
      const react = (customEmojiId: unknown) =>
        bot.api('PUT', path, { unicodeEmoji: null, customEmojiId });
      for (const emoji of list(body)) expect((await react(at(emoji, 'id'))).status).toBe(200);
      expect(refused(await react(UNKNOWN_ID))).toEqual([400, 'bot_validation_error']);
    },
  ],
  [
    '#5: pages go backwards in time; before is the id of a message, and results are older than it; limit defaults to 50',
    async (bot) => {
      const path = `/channels/${bot.channelId('long-history')}/messages`;
      const seen: string[] = [];
      let query = '';
      for (let hasMore: unknown = true; hasMore === true;) {
        const { body } = await bot.api('GET', path + query);
        const page = list(at(body, 'messages'));
        expect(page).toHaveLength(50);
        seen.push(...page.map((message) => text(message, 'content')));
        query = `?before=${text(body, 'oldestId')}`;
        hasMore = at(body, 'hasMore');
      }
      const newestFirst = Array.from({ length: 250 }, (_, age) => `Message ${250 - age} of 250.`);
      expect(seen).toEqual(newestFirst);
    },
  ],
  [
    '#6: to attach files, open an upload session (#19), upload the file to the returned uploadUrl, then send the message with the returned keys in attachments',
    async (bot) => {
      const message = await bot.sendFile('hello');
      expect(at(message, 'attachments')).toMatchObject([{ fileName: 'a.txt', size: 5 }]);
      const unknown = { content: 'No file', attachments: [{ objectKey: 'uploads/none' }] };
      const reply = await bot.api(
        'POST',
        `/channels/${bot.channelId('general')}/messages`,
        unknown,
      );
      expect(refused(reply)).toEqual([400, 'bot_validation_error']);
    },
  ],
  [
    "#7: deleting the bot's own message needs no permission; deleting another author's message needs the ManageMessages permission",
    async (bot) => {
      const own = await bot.api('DELETE', await bot.botWrites('read-only'));
      expect([own.status, own.text]).toEqual([200, '']);
      expect(refused(await bot.api('DELETE', bot.adaWrites('read-only')))).toEqual(DENIED);
      const botPermissions = ['ManageReactions'];
      await bot.change('channel', bot.channelId('read-only'), { botPermissions });
      expect(refused(await bot.api('DELETE', bot.adaWrites('read-only')))).toEqual(DENIED);
      expect((await bot.api('DELETE', bot.adaWrites('general'))).status).toBe(200);
    },
  ],
  [
    '#9: only messages the bot wrote can be edited; any other message answers 403',
    async (bot) => {
      const path = await bot.botWrites();
      expect((await bot.api('PATCH', path, { content: 'Edited' })).status).toBe(200);
      expect((await bot.api('GET', path)).body).toMatchObject({
        content: 'Edited',
        editedAt: expect.any(String),
      });
      // The bot has every permission in this channel.
      const other = await bot.api('PATCH', bot.adaWrites('general'), { content: 'Edited' });
      expect(refused(other)).toEqual(DENIED);
    },
  ],
  [
    '#10: before and after size the window, each defaulting to 25 messages',
    async (bot) => {
      const channelId = bot.channelId('long-history');
      const middle = bot.simulator.messages('long-history')[124]?.id ?? '';
      const path = `/channels/${channelId}/messages/${middle}/context`;
      const window = async (query: string) => {
        const { body } = await bot.api('GET', path + query);
        const ids = list(at(body, 'messages')).map((message) => text(message, 'id'));
        return [ids.indexOf(middle), ids.length];
      };
      expect(await window('')).toEqual([25, 51]);
      expect(await window('?before=2&after=3')).toEqual([2, 6]);
      expect(await window('?before=0')).toEqual([0, 26]);
    },
  ],
  [
    '#11: the typing indicator fades after a few seconds; call again during long work',
    async (bot) => {
      const shownMs: number[] = [];
      bot.simulator.on((event) => event.type === 'typing' && shownMs.push(event.forMs));
      for (let call = 0; call < 2; call += 1) {
        const reply = await bot.api('POST', `/channels/${bot.channelId('general')}/typing`);
        expect([reply.status, reply.text]).toEqual([200, '']);
      }
      expect(shownMs).toHaveLength(2);
      expect(shownMs.every((ms) => ms >= 1_000 && ms <= 15_000)).toBe(true);
    },
  ],
  [
    '#12: requires ManageReactions or ManageMessages',
    async (bot) => {
      const clear = async (path: string) => (await bot.api('DELETE', `${path}/reactions`)).status;
      expect(await byPermission(bot, clear)).toEqual({
        none: 403,
        ManageMessages: 200,
        ManageReactions: 200,
      });
    },
  ],
  [
    '#16: the body carries either unicodeEmoji or customEmojiId, never both',
    async (bot) => {
      const path = `${bot.adaWrites()}/reactions/me`;
      const { body } = await bot.api('GET', `/servers/${bot.serverId('Sandbox')}/emojis`);
      const customEmojiId = text(body, 0, 'id');
      const put = async (unicodeEmoji: unknown, id: unknown) =>
        (await bot.api('PUT', path, { unicodeEmoji, customEmojiId: id })).status;
      expect(await put('👍', null)).toBe(200);
      expect(await put(null, customEmojiId)).toBe(200);
      expect(await put('👍', customEmojiId)).toBe(400);
      expect(await put(null, null)).toBe(400);
      // Both keys are required.
      expect(await put('👍', undefined)).toBe(400);
      expect(await put(undefined, customEmojiId)).toBe(400);
    },
  ],
  [
    '#17: requires ManageReactions',
    async (bot) => {
      const remove = async (path: string) => {
        const user = `${path}/reactions/users/${bot.userId('ada')}`;
        return (await bot.api('DELETE', user, THUMB)).status;
      };
      expect(await byPermission(bot, remove)).toEqual({
        none: 403,
        ManageMessages: 403,
        ManageReactions: 200,
      });
    },
  ],
  [
    '#18: the URL is short-lived (see expiresAt); request one when needed and do not store it',
    async (bot) => {
      const message = await bot.sendFile('hello');
      const path = `/channels/${text(message, 'channelId')}/messages/${text(message, 'id')}`;
      const access = `${path}/attachments/${text(message, 'attachments', 0, 'id')}/access-url`;
      const { body } = await bot.api('GET', access);
      const lifetimeMs = Date.parse(text(body, 'expiresAt')) - bot.clock.now();
      const url = text(body, 'url');
      await bot.clock.advance(lifetimeMs - 1);
      expect((await bot.raw('GET', url)).text).toBe('hello');
      await bot.clock.advance(2);
      expect((await bot.raw('GET', url)).status).toBeGreaterThanOrEqual(400);
      const again = await bot.api('GET', access);
      expect((await bot.raw('GET', text(again.body, 'url'))).text).toBe('hello');
    },
  ],
  [
    '#20: call when the stream ends; #21: the bot publishes to the returned address',
    async (bot) => {
      const ingress = `/channels/${bot.channelId('Lounge')}/voice/ingress`;
      const { body } = await bot.api('POST', ingress);
      expect(new URL(text(body, 'url')).host).toBe(new URL(bot.simulator.baseUrl).host);
      expect(await bot.inVoice('Lounge')).toEqual(['demo-bot']);
      const ended = await bot.api('DELETE', ingress);
      expect([ended.status, ended.text]).toEqual([200, '']);
      expect(await bot.inVoice('Lounge')).toEqual([]);
    },
  ],
  [
    '#22: connects the bot to the voice channel; the returned token and url are used to connect to the media server directly',
    async (bot) => {
      const { body } = await bot.api('POST', `/channels/${bot.channelId('Lounge')}/voice/join`);
      expect(text(body, 'token')).not.toBe('');
      expect(new URL(text(body, 'url')).protocol).toBe('ws:');
      expect(await bot.inVoice('Lounge')).toEqual(['demo-bot']);
    },
  ],
  [
    "#24: a snapshot of current participants of the server's voice channels; changes are followed through the gateway",
    async (bot) => {
      const socket = await bot.connect();
      expect(await bot.inVoice('Stage')).toEqual([]);
      const [channelId, userId] = [bot.channelId('Stage'), bot.userId('grace')];
      const body = JSON.stringify({ channel: channelId, as: userId, seconds: 0 });
      await bot.raw('POST', '/_sim/voice', { body });
      expect(await socket.event('VOICE_STATE_UPDATE')).toMatchObject({ channelId, userId });
      expect(await bot.inVoice('Stage')).toEqual(['grace']);
    },
  ],
  [
    '#26: a full replacement; commands missing from the sent list are deleted; it is not a merge',
    async (bot) => {
      const put = async (...commands: readonly string[]) => {
        const items = commands.map((name) => ({ name, description: 'Does it', options: [] }));
        expect((await bot.api('PUT', '/commands', { commands: items })).status).toBe(200);
        return names((await bot.api('GET', '/commands')).body);
      };
      expect(await put('one', 'two')).toEqual(['one', 'two']);
      expect(await put('two', 'three')).toEqual(['two', 'three']);
      expect(await put()).toEqual([]);
    },
  ],
  [
    '#27 to #31: a command must be answered quickly, or the interaction expires; defer first, then fill in through #31 or #30; #29 sends extra messages after the response; ephemeral responses are unsupported',
    async (bot) => {
      const start = async () => `/interactions/${await bot.runAsk()}`;
      const call = async (method: string, path: string, content?: string) =>
        (await bot.api(method, path, content === undefined ? undefined : { content })).status;
      const expired = await start();
      await bot.clock.advance(3_000);
      expect(await call('POST', `${expired}/response`, 'Late')).toBe(404);

      const [first, second] = [await start(), await start()];
      expect(await call('POST', `${first}/defer`)).toBe(200);
      expect(await call('POST', `${second}/defer`)).toBe(200);
      await bot.clock.advance(60_000);
      expect(await call('POST', `${first}/response`, 'Through 31')).toBe(200);
      expect(await call('PATCH', `${second}/response`, 'Through 30')).toBe(200);
      expect(await call('POST', `${second}/follow-ups`, 'Extra')).toBe(200);

      const third = await start();
      const ephemeral = { content: 'For all', ephemeral: true };
      expect((await bot.api('POST', `${third}/response`, ephemeral)).status).toBe(200);
      const { body } = await bot.api(
        'GET',
        `/channels/${bot.channelId('general')}/messages?limit=4`,
      );
      const contents = list(at(body, 'messages')).map((message) => text(message, 'content'));
      expect(contents).toEqual(['For all', 'Extra', 'Through 30', 'Through 31']);
    },
  ],
];

describe('behavior rules per endpoint', () => {
  testRules(RULES);
});
