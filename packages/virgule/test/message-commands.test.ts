import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestBot, type TestBot, type TestBotOptions } from '../src/testing.js';
import { createTestProject } from './test-project.js';

const IGNORED = '5f0c2f6e-8f7c-4d68-9c39-0e3f8f9d4a11';

async function start(
  files: Readonly<Record<string, string>>,
  options: TestBotOptions = {},
): Promise<TestBot> {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const bot = await createTestBot({ root: project.root, ...options });
  onTestFinished(() => bot.close());
  return bot;
}

const IMPORTS = `import { option, requireAuthor } from 'virgule'; import * as z from 'zod';`;

const command = (body: string, settings = 'messages: true,'): string =>
  `${IMPORTS} export default { description: 'Test', ${settings} async *run(ctx) { ${body} } };`;

const PING = {
  'commands/ping.ts': command(`return 'pong';`),
  'events/message-create.ts': `export default async ({ data, here }) => { await here.send('heard ' + data.content); };`,
};

/** The texts of the bot's messages in the channel. */
const shown = ({ platform }: TestBot): string[] => {
  const { botUserId } = platform.snapshot().bot;
  const own = platform.messages().filter(({ authorId }) => authorId === botUserId);
  return own.filter(({ isDeleted }) => !isDeleted).map(({ content }) => content);
};

/** A platform whose responses do not contain the message. */
const UNNAMED = { profile: { messageResponse: 'empty' }, strict: false } as const;

type Between = (bot: TestBot) => Promise<unknown>;
const nothing: Between = async () => {};

/** Deletes a message with this content. */
const deleteFirst =
  (content: string, index = 0): Between =>
  async ({ platform }) => {
    const found = platform.messages().filter((message) => message.content === content)[index];
    await platform.request({
      method: 'DELETE',
      path: `/api/bot/v1/channels/${found?.channelId}/messages/${found?.id}`,
      headers: { authorization: `Bot ${platform.token}`, host: 'localhost' },
      body: Buffer.from(''),
    });
  };

describe('a command that a message runs', () => {
  it('answers by a reply to the message, with the author and the caller in its context', async () => {
    const bot = await start({
      'commands/who.ts': command(
        `const { caller, author, options, raw } = ctx;
         const isMention = String(author) === '<@' + author.id + '>';
         return [caller, author.username, author.displayName, isMention, raw.rawInput, raw.message.content, options.n].join(' ');`,
        `messages: true, aliases: ['w'], options: z.object({ n: z.int() }),`,
      ),
    });
    const { message, replies } = await bot.as('ada').say('!who  5');
    expect(replies).toEqual(['message ada Ada true /who  5 !who  5 5']);
    const { replyTo } = bot.platform.messages().at(-1) ?? {};
    expect(replyTo).toMatchObject({ messageId: message.id });
    expect((await bot.as('grace').say('!W 7')).replies[0]).toContain('message grace Grace');
    expect((await bot.as('grace').say('!who x')).replies[0]).toContain('Usage: !who <n>');
  });

  it.each<readonly [string, string, Between, Between]>([
    ['two states at once', '2s', nothing, nothing],
    [
      'an answer and a command that are no longer in the list',
      '5m',
      async ({ platform }) => {
        for (let index = 0; index < 60; index += 1)
          platform.sendMessage({ content: `chat ${index}`, as: 'linus' });
      },
      nothing,
    ],
    ['a deleted answer', '5m', deleteFirst('10 %'), nothing],
    ['a deleted answer, and a deleted command', '5m', deleteFirst('10 %'), deleteFirst('!load', 1)],
  ])('never edits the answer to another user: %s', async (_case, pause, before, after) => {
    const states = ['10 %', '20 %'].map(
      (text) => `yield '${text}'; await ctx.clock.sleep('${pause}');`,
    );
    const load = command(
      `${states.join(' ')} return 'Done ' + ctx.author.username;`,
      `messages: true, timeout: '1h',`,
    );
    const bot = await start({ 'commands/load.ts': load }, UNNAMED);
    const ada = bot.as('ada').say('!load');
    await bot.clock.advance('100ms');
    await before(bot);
    const grace = bot.as('grace').say('!load');
    await bot.clock.advance('100ms');
    const { content, replyTo } = bot.platform.messages().at(-1) ?? {};
    await after(bot);
    await bot.clock.advance('1h');
    await Promise.all([ada, grace]);
    expect(content).toBe('10 %');
    const done = bot.platform.messages().filter((message) => message.content.startsWith('Done'));
    expect(done).toHaveLength(2);
    const ofAda = done.find((message) => message.content === 'Done ada');
    expect(ofAda).toBeDefined();
    expect(ofAda?.replyTo?.['messageId']).not.toBe(replyTo?.['messageId']);
  });

  it('finds an answer that replies to another message', async () => {
    const load = command(
      `const { messages } = await ctx.rest.messages.list(ctx.channelId);
       const replyTo = messages.find(({ content }) => content === 'How far?').id;
       yield { content: '10 %', replyTo }; await ctx.clock.sleep('2s'); return 'Done';`,
    );
    const bot = await start({ 'commands/load.ts': load }, UNNAMED);
    const { id } = bot.platform.sendMessage({ content: 'How far?', as: 'linus' });
    const saying = bot.as('ada').say('!load');
    await bot.clock.advance('10s');
    await saying;
    const own = bot.platform.messages().filter(({ content }) => /Done|%/.test(content));
    expect(own).toMatchObject([{ content: 'Done', replyTo: { messageId: id } }]);
  });

  it('finds the message of each answer while two answers have the same text', async () => {
    const load = command(
      `const sent = await ctx.reply('10 %'); await ctx.clock.sleep('3s');
       const { id } = await sent.message();
       await ctx.rest.messages.edit(ctx.channelId, id, { content: ctx.author.username });`,
      'messages: true,',
    );
    const bot = await start({ 'commands/load.ts': load }, UNNAMED);
    const saying = [bot.as('ada').say('!load'), bot.as('grace').say('!load')];
    await bot.clock.advance('10s');
    await Promise.all(saying);
    const answers = bot.platform.messages().filter(({ replyTo }) => replyTo !== null);
    expect(answers.map(({ content }) => content).toSorted()).toEqual(['ada', 'grace']);
    for (const { content, replyTo } of answers) expect(replyTo?.['authorUsername']).toBe(content);
  });

  it('takes the prefix or a mention with the name of a command that allows it; all else is a message', async () => {
    const bot = await start({ ...PING, 'commands/slash.ts': command(`return 'slash';`, '') });
    const { botUserId, username, displayName } = bot.platform.snapshot().bot;
    const me = `<@${botUserId}>`;
    const names = [`@${username} ping`, `@${displayName}  ping`];
    for (const line of ['!ping', '!PING', `${me} ping`, `${me}ping`, ...names])
      expect([line, ...(await bot.say(line)).replies]).toEqual([line, 'pong']);
    for (const line of [
      '! ping',
      '!',
      me,
      `@${username}ping`,
      '!pingpong',
      '!slash',
      'ping',
      ' !ping',
      '?ping',
      '/ping',
    ])
      expect((await bot.say(line)).replies).toEqual([`heard ${line}`]);
  });

  it('has the prefix and the mention of the configuration', async () => {
    const bot = await start({
      ...PING,
      'virgule.config.ts': `export default { messages: { prefix: 'bot, ', mention: false } };`,
    });
    expect((await bot.say('bot, ping')).replies).toEqual(['pong']);
    expect((await bot.say('!ping')).replies).toEqual(['heard !ping']);
    const line = `<@${bot.platform.snapshot().bot.botUserId}> ping`;
    expect((await bot.say(line)).replies).toEqual([`heard ${line}`]);
  });

  it("is not listed by the platform with 'only'", async () => {
    const bot = await start({
      'commands/only.ts': command(
        `const [own, ping] = ctx.commands; return [own.usage, ping.usage, ping.messageUsage].join(' ');`,
        `messages: 'only', aliases: ['o'],`,
      ),
      'commands/ping.ts': command(`return 'pong';`),
    });
    expect(bot.plan().add.map(({ name }) => name)).toEqual(['ping']);
    expect((await bot.say('!o')).replies).toEqual(['!only /ping !ping']);
  });

  it('is not run by the bot itself, ignored users, edits and messages that are old or were seen', async () => {
    const bot = await start(
      {
        ...PING,
        'virgule.config.ts': `export default { messages: { ignore: ['${IGNORED.toUpperCase()}'] } };`,
      },
      { strict: false },
    );
    const { message } = await bot.as('ada').say('!ping');
    const { botUserId } = bot.platform.snapshot().bot;
    const emit = async (parts: object): Promise<readonly string[]> =>
      (await bot.emit('MESSAGE_CREATE', { ...message, id: crypto.randomUUID(), ...parts })).replies;
    for (const id of [message.id, message.id.toUpperCase()]) expect(await emit({ id })).toEqual([]);
    expect(await emit({ authorId: botUserId })).toEqual([]);
    expect(await emit({ authorId: IGNORED })).toEqual(['heard !ping']);
    const isForeign = [
      { forwardedFrom: { messageId: message.id } },
      { forwardedFrom: message.id },
      { isForwarded: true },
      { isDeleted: true },
    ];
    for (const parts of isForeign) expect(await emit(parts)).toEqual(['heard !ping']);
    expect((await bot.emit('MESSAGE_UPDATE', { ...message, content: '!ping' })).replies).toEqual(
      [],
    );
    expect(await emit({ authorId: botUserId.toUpperCase() })).toEqual([]);
    const later = (ms: number): string => new Date(bot.clock.now() + ms).toISOString();
    for (const createdAt of [undefined, 'yesterday', 0, later(3_601_000)])
      expect(await emit({ createdAt })).toEqual(['heard !ping']);
    // A clock that is some minutes behind does not silence the bot.
    expect(await emit({ createdAt: later(600_000) })).toEqual(['pong']);
    bot.platform.setFaults({
      rules: [{ name: 'no', on: { request: 'messages.get' }, do: { type: 'status', status: 403 } }],
    });
    expect(await emit({ authorId: 'unreadable' })).toEqual([]);
    await bot.clock.advance('61s');
    expect(await emit({})).toEqual(['heard !ping']);
  });

  it('shows that it is typing until there is an answer, and edits, streams and follows up', async () => {
    const bot = await start({
      'commands/steps.ts': command(
        `yield 'one'; await ctx.clock.sleep('1s'); yield 'two'; await ctx.clock.sleep('1s');
         const more = await ctx.reply('more'); await more.edit('and more'); return 'three';`,
      ),
      'commands/slow.ts': command(`await ctx.clock.sleep('20s'); return 'late';`),
      'commands/text.ts': command(`await ctx.append(['a', 'b', 'c']); await ctx.append(['d']);`),
    });
    const steps = bot.say('!steps');
    await bot.clock.advance('5s');
    const ran = await steps;
    expect(shown(bot)).toEqual(['three', 'and more']);
    expect(ran.calls.map(({ endpoint }) => endpoint)).not.toContain('channels.typing');
    const slow = bot.say('!slow');
    await bot.clock.advance('60s');
    const { calls } = await slow;
    const typed = calls.filter(({ endpoint }) => endpoint === 'channels.typing');
    expect(typed.map(({ atMs }) => Math.round(atMs / 100))).toEqual([15, 63, 111, 159]);
    await bot.say('!text');
    expect(shown(bot)).toEqual(['three', 'and more', 'late', 'abcd']);
  });

  it.each([
    [`return { files };`, ['📎 a.txt']],
    [`yield 'Working'; return { content: 'Done!', files };`, ['Done!', '📎 a.txt']],
    [`await ctx.reply({ files });`, ['📎 a.txt']],
    [`await ctx.here.send({ files });`, ['📎 a.txt']],
  ])('may be answered with files and no text: %s', async (code, expected) => {
    const files = `const files = [{ name: 'a.txt', data: 'hi' }];`;
    const settings = `messages: true, silent: true,`;
    const bot = await start({ 'commands/file.ts': command(`${files} ${code}`, settings) });
    await bot.say('!file');
    const sent = bot.platform.messages().slice(2);
    const texts = sent.map(({ content, attachments }) =>
      [content, ...attachments.map(({ fileName }) => fileName)].join(' '),
    );
    expect(texts).toEqual(expected);
  });

  it('is answered once if the outcome of a message is unknown', async () => {
    const bot = await start(PING, { strict: false });
    for (const when of ['before', 'after'] as const) {
      bot.platform.setFaults({
        rules: [
          { name: 'cut', on: { request: 'messages.send' }, do: { type: 'cut', when }, times: 1 },
        ],
      });
      const said = bot.say('!ping');
      await bot.clock.advance('30s');
      await said;
    }
    expect(shown(bot)).toEqual(['pong', 'pong']);
  });

  it('does not take an older message of the bot with the same text for its answer', async () => {
    const bot = await start(PING, { strict: false });
    await bot.run('/ping');
    bot.platform.setFaults({
      rules: [
        {
          name: 'cut',
          on: { request: 'messages.send' },
          do: { type: 'cut', when: 'before' },
          times: 1,
        },
      ],
    });
    await bot.clock.advance('2s');
    const said = bot.say('!ping');
    await bot.clock.advance('30s');
    await said;
    expect(shown(bot)).toEqual(['pong', 'pong']);
  });

  it('answers without a reference if the message of the command is deleted', async () => {
    const bot = await start(
      { 'commands/purge.ts': command(`await ctx.clock.sleep('1s'); return 'gone';`) },
      { strict: false },
    );
    const said = bot.say('!purge');
    await bot.idle();
    const { id, authorId } = bot.platform.messages().at(-1) ?? {};
    await bot.platform.act('delete', { message: id, as: authorId, seconds: 0 });
    await bot.clock.advance('5s');
    await said;
    expect(shown(bot)).toEqual(['gone']);
  });

  it('stops a bot whose author is unknown and that answers itself, also late', async () => {
    const bot = await start(
      {
        'commands/echo.ts': command(`return '!echo';`),
        'commands/post.ts': command(`await ctx.channel(ctx.channelId).send('!post');`),
        'commands/say.ts': command(`return '!echo later';`, ''),
      },
      { strict: false },
    );
    bot.platform.setFaults({
      rules: [{ name: 'no', on: { request: 'messages.get' }, do: { type: 'status', status: 403 } }],
    });
    const { message } = await bot.as('ada').say('hello');
    await bot.run('/say');
    for (const content of ['!echo later', '!echo', '!post', '!echo', '!post ', '!echo']) {
      const unread = { ...message, id: crypto.randomUUID(), content, authorId: 'unreadable' };
      await bot.emit('MESSAGE_CREATE', unread);
      await bot.clock.advance('5s');
    }
    expect(shown(bot)).toEqual(['!echo later', '!echo', '!post']);
  });

  it('counts authors who are unknown as one', async () => {
    const config = { 'virgule.config.ts': `export default { loopGuard: true };` };
    const bot = await start({ ...PING, ...config }, { strict: false });
    bot.platform.setFaults({
      rules: [{ name: 'no', on: { request: 'messages.get' }, do: { type: 'status', status: 403 } }],
    });
    const { message } = await bot.as('ada').say('hello');
    const unread = { ...message, content: '!ping', authorId: 'unreadable' };
    for (let n = 0; n < 30; n += 1)
      await bot.emit('MESSAGE_CREATE', { ...unread, id: crypto.randomUUID() });
    expect(shown(bot).length).toBeLessThan(15);
  });

  it('reads the author if the event names none, and has none if that fails', async () => {
    const bot = await start(
      { 'commands/me.ts': command(`return ctx.author?.username ?? 'nobody';`) },
      { strict: false },
    );
    const { message } = await bot.as('ada').say('hello');
    const serverId = crypto.randomUUID();
    const ada = { authorId: 'ada', authorUsername: 'somebody' };
    const unnamed = { ...message, serverId, content: '!me', ...ada };
    const said = await bot.emit('MESSAGE_CREATE', unnamed);
    expect(said.replies).toEqual(['ada']);
    expect(said.calls.map(({ endpoint }) => endpoint)).toEqual(['messages.get', 'messages.send']);
    bot.platform.setFaults({
      rules: [{ name: 'no', on: { request: 'messages.get' }, do: { type: 'status', status: 403 } }],
    });
    const other = (await bot.as('ada').say('hello')).message;
    const unread = { ...other, content: '!me', authorId: 'ada' };
    expect((await bot.emit('MESSAGE_CREATE', unread)).replies).toEqual(['nobody']);
  });

  it('belongs to the server of its channel if the event names none', async () => {
    const codes: string[] = [];
    const bot = await start(
      {
        'commands/note.ts': command(
          `const own = ctx.storage.forServer(ctx.serverId);
           const notes = [...((await own.get('notes')) ?? []), ctx.caller];
           await own.set('notes', notes);
           return ctx.serverId + ' ' + notes.join();`,
          `messages: true, cooldown: { every: '1s', per: 'server' },`,
        ),
        'commands/near.ts': command(
          `return ctx.serverId + (await ctx.storage.forServer(ctx.serverId).list()).length;`,
        ),
        'events/message-create.ts': `export default async ({ data, call, reply }) => {
           if (data.content === 'call') await reply((await call('note', {})).content);
         };`,
        'events/error.ts': `export default ({ data, services }) => void services.codes.push(data.error.code);`,
      },
      { strict: false, profile: { messageEvent: 'without-server-id' }, services: { codes } },
    );
    const { servers, channels } = bot.platform.snapshot();
    const [here, there] = servers.map(({ id }) => id);
    const elsewhere = channels.find(({ serverId, type }) => serverId === there && type === 'text');
    const away = bot.as('grace').in(elsewhere?.id ?? '');
    expect((await bot.as('ada').say('!note')).replies).toEqual([`${here} message`]);
    expect((await away.say('!note')).replies).toEqual([`${there} message`]);
    await bot.clock.advance('2s');
    expect((await away.say('call')).replies).toEqual([`${there} message,code`]);
    expect((await bot.run('/note')).content).toBe(`${here} message,slash`);
    const lost = {
      ...(await bot.as('ada').say('hello')).message,
      channelId: crypto.randomUUID(),
    };
    const emit = (content: string) =>
      bot.emit('MESSAGE_CREATE', { ...lost, id: crypto.randomUUID(), content });
    const endpoints = (await emit('!note')).calls.map(({ endpoint }) => endpoint);
    expect(endpoints).toContain('servers.list');
    const again = (await emit('!near')).calls.map(({ endpoint }) => endpoint);
    expect(again).not.toContain('servers.list');
    expect(codes).toEqual(['E_SERVER_UNKNOWN', 'E_SERVER_UNKNOWN']);
  });

  it('is silent to an author who reacts to each answer at once', async () => {
    const config = { 'virgule.config.ts': `export default { loopGuard: true };` };
    const bot = await start({ ...PING, ...config }, { strict: false });
    for (let n = 0; n < 30; n += 1) await bot.as('ada').say('!ping');
    expect(shown(bot)).toHaveLength(10);
  });
});

describe('the line of a command', () => {
  const FILES = {
    ...PING,
    'commands/daily.ts': command(`return 'coins for ' + ctx.author.username;`, `messages: 'only',`),
  };

  it('runs as a message with the prefix or a mention, as every line of a test', async () => {
    const bot = await start(FILES);
    const facts = { content: 'coins for grace', result: 'ok', state: 'answered' };
    expect(await bot.as('grace').run('!daily')).toMatchObject(facts);
    expect((await bot.run('@bot ping')).content).toBe('pong');
    expect((await bot.run('!other')).content).toBe('heard !other');
  });

  it('is refused with the form that runs it', async () => {
    const bot = await start({ 'commands/daily.ts': FILES['commands/daily.ts'] });
    const meant = { code: 'E_COMMAND_UNKNOWN', hint: 'Did you mean !daily?' };
    await expect(bot.run('!dayly')).rejects.toMatchObject(meant);
    await expect(bot.run('/daily')).rejects.toMatchObject(meant);
    await expect(bot.run('/other')).rejects.toMatchObject({ code: 'E_SIM_UNKNOWN' });
  });

  it('is named in the log of development if its name is mistyped, and in the chat nothing is', async () => {
    const lines: string[] = [];
    const note = (_: unknown, line?: string): void => void lines.push(line ?? '');
    const log = { debug: note, info: note, warn: note, error: note };
    const bot = await start({ 'commands/daily.ts': FILES['commands/daily.ts'] }, { log });
    expect((await bot.say('!dayly')).replies).toEqual([]);
    expect((await bot.say('!xyz')).replies).toEqual([]);
    expect(lines.filter((line) => line.includes('not a command'))).toEqual([
      '!dayly is not a command; did you mean !daily?',
    ]);
  });
});

describe('the author of a command', () => {
  const FILES = {
    'commands/give.ts': command(
      `return String(ctx.options.who.id === ctx.author.id) + ctx.options.n;`,
      `messages: true, options: z.object({ n: z.int(), who: option.user({ default: 'author' }) }),`,
    ),
    'commands/guarded/_middleware.ts': `import { requireAuthor } from 'virgule'; export default requireAuthor();`,
    'commands/guarded/take.ts': command(`return 'took';`),
    'commands/guarded/slash.ts': command(`return 'took';`, ''),
    'commands/wrapped.ts': `${IMPORTS} export default {
      description: 'Test',
      messages: true,
      run: requireAuthor(({ author }) => author.displayName || String(author)),
    };`,
    'commands/daily.ts': command(
      `return 'done';`,
      `messages: true, cooldown: { every: '1d', by: 'author' },`,
    ),
    'commands/here.ts': command(
      `return 'done';`,
      `messages: true, cooldown: { every: '1d', by: 'author', per: 'channel' },`,
    ),
    'commands/sure.ts': command(
      `return (await ctx.confirm('Sure?', { by: 'author' })) ? 'yes' : 'no';`,
      `messages: true, intents: ['MESSAGE_REACTIONS'],`,
    ),
    'events/message-create.ts': `import { defineEvent } from 'virgule';
      export default defineEvent('MESSAGE_CREATE', async ({ data, reply, confirm }) => {
        if (data.content === 'sure') await reply((await confirm('Sure?', { by: 'author' })) ? 'yes' : 'no');
      }, { intents: ['MESSAGE_REACTIONS'] });`,
  };

  it('is required by a guard, which shows how to type the command', async () => {
    const bot = await start(FILES);
    expect(await bot.run('/guarded-take')).toMatchObject({
      content: 'I cannot see who ran /guarded-take: send it as a message, !guarded-take',
      result: 'user-error',
    });
    expect((await bot.run('/guarded-slash')).content).toBe('I cannot see who ran /guarded-slash.');
    expect((await bot.run('/wrapped')).content).toContain('send it as a message, !wrapped');
    expect((await bot.as('ada').say('!wrapped')).replies).toEqual(['Ada']);
    expect((await bot.say('!guarded-take')).replies).toEqual(['took']);
  });

  it('has an id in lower case, as an id that a user types in capitals', async () => {
    const bot = await start(
      {
        'commands/same.ts': command(
          `return [...new Set([ctx.author.id, ...ctx.options.users.map(({ id }) => id)])].join();`,
          `messages: true, options: z.object({ users: z.array(option.user()) }),`,
        ),
      },
      { strict: false },
    );
    const { message } = await bot.as('ada').say('hello');
    const id = message.authorId;
    const capitals = id.toUpperCase();
    const content = `!same ${id} ${capitals} <@${capitals}>`;
    const typed = { ...message, id: crypto.randomUUID(), authorId: capitals, content };
    expect((await bot.emit('MESSAGE_CREATE', typed)).replies).toEqual([id]);
  });

  it('is the default of an option, which is required without an author', async () => {
    const bot = await start(FILES);
    expect((await bot.say('!give 5')).replies).toEqual(['true5']);
    const { authorId } = (await bot.as('grace').say('hi')).message;
    expect((await bot.as('ada').say(`!give 5 <@${authorId}>`)).replies).toEqual(['false5']);
    expect((await bot.run('/give 5')).content).toBe('who is missing. Usage: /give <n> [who]');
  });

  it('has a separate cooldown', async () => {
    const bot = await start(FILES);
    for (const [user, line, channel, reply] of [
      ['ada', '!daily', 'general', 'done'],
      ['ada', '!daily', 'bot-spam', 'Please wait 24 hours before you use !daily again.'],
      ['grace', '!daily', 'general', 'done'],
      ['ada', '!here', 'general', 'done'],
      ['ada', '!here', 'bot-spam', 'done'],
    ] as const) {
      const { replies } = await bot.in(channel).as(user).say(line);
      expect([user, line, channel, ...replies]).toEqual([user, line, channel, reply]);
    }
    expect((await bot.run('/daily')).content).toContain('send it as a message, !daily');
  });

  it('alone confirms, in a command and in an event', async () => {
    const bot = await start(FILES);
    for (const line of ['!sure', 'sure']) {
      const said = bot.as('ada').say(line);
      await bot.as('grace').react('✅');
      await bot.as('ada').react('❌');
      expect((await said).replies.at(-1)).toBe('no');
    }
    expect((await bot.run('/sure')).content).toContain('send it as a message, !sure');
  });

  it('is the user of the event of a slash command, if the platform reports it', async () => {
    for (const [commandUser, name] of [
      ['userId', /^<@[\da-f-]{36}>$/],
      ['user.id', /^Ada$/],
    ] as const) {
      const bot = await start(FILES, { profile: { commandUser } });
      expect((await bot.as('ada').run('/wrapped')).content).toMatch(name);
    }
  });
});
