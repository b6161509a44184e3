import { systemClock } from '@virgule/core/clock';
import type { SimFaultEffect, SimFaults } from '@virgule/core/simulator-api';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { createTestBot } from './create-test-bot.js';
import type { TestBot, TestBotOptions } from './test-bot.js';

async function start(
  files: Readonly<Record<string, string>>,
  options: TestBotOptions = {},
): Promise<TestBot> {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const bot = await createTestBot({ root: project.root, ...options });
  onTestFinished(() => bot.close().catch(() => {}));
  return bot;
}

const command = (body: string, settings = ''): string =>
  `import * as z from 'zod';
   import { option, UserError } from 'virgule';
   export default { description: 'Test', ${settings} async run(ctx) { ${body} } };`;

const onMessage = (body: string): string => `export default async (ctx) => { ${body} };`;

const FILES = { 'commands/hello.ts': command(`return 'Hello!';`) };

const codeOf = (code: string) => ({ code: expect.stringContaining(code) });

describe('run', () => {
  it('ends with an error that is its own cause', async () => {
    const body = `const error = new Error('cyclic'); error.cause = error; throw error;`;
    const bot = await start({ 'commands/cyclic.ts': command(body) });
    await expect(bot.run('/cyclic')).rejects.toMatchObject(codeOf('E_TEST'));
  });

  it('returns the answer, its edits and the follow-ups', async () => {
    const bot = await start({
      'commands/count.ts': command(
        `const sent = await ctx.reply('3'); await sent.edit('2'); await sent.edit('1');
         await ctx.reply({ content: 'Go!', files: [{ name: 'go.txt', data: Buffer.from('now') }] });
         await ctx.here.send('by the way');`,
      ),
    });
    const run = await bot.run('/count');
    expect(run).toMatchObject({
      content: '1',
      edits: ['2', '1'],
      followUps: ['Go!'],
      replies: ['1', 'Go!', 'by the way'],
      files: [{ name: 'go.txt', size: 3 }],
      deferred: false,
    });
    expect(run.calls.map(({ endpoint }) => endpoint)).toEqual([
      'interactions.respond',
      'interactions.editResponse',
      'interactions.editResponse',
      'attachments.openUpload',
      undefined,
      'interactions.followUp',
      'messages.send',
    ]);
  });

  it('takes a user by the id', async () => {
    const options = `options: z.object({ who: option.user() }),`;
    const bot = await start({
      'commands/wave.ts': command('return `👋 ${ctx.options.who}`;', options),
    });
    const { id, displayName } = bot.platform.user('grace');
    expect(displayName).toBe('Grace');
    expect((await bot.run('wave', { who: id })).content).toBe(`👋 <@${id}>`);
    expect((await bot.run(`/wave ${id}`)).content).toBe(`👋 <@${id}>`);
    expect(() => bot.platform.user('nobody')).toThrow(/no user "nobody"/);
  });

  it('takes options by name', async () => {
    const bot = await start({
      'commands/roll.ts': command(
        `return JSON.stringify(ctx.options);`,
        `options: z.object({ sides: z.int().default(6), label: z.string().optional(), loud: z.boolean().default(false) }),`,
      ),
    });
    const { content } = await bot.run('roll', { sides: 20, label: 'two words' });
    expect(JSON.parse(content ?? '')).toEqual({ sides: 20, label: 'two words', loud: false });
    expect((await bot.run('roll', { loud: true })).content).toContain('"loud":true');
    await expect(bot.run('roll', { side: 20 })).rejects.toMatchObject({
      ...codeOf('E_TEST_CALL'),
      message: expect.stringMatching(/\nTry:  The command has the options sides, label, loud\.$/),
    });
    await expect(bot.run('rol', {})).rejects.toMatchObject(codeOf('E_SIM_UNKNOWN'));
  });

  it('returns what the handler threw, with its stack', async () => {
    const files = {
      'commands/fail.ts': command(`throw new TypeError('no such thing');`),
      'commands/refuse.ts': command(`throw new UserError('Not here.');`),
    };
    const bot = await start(files, { strict: false });
    const { result, error, content } = await bot.run('/fail');
    expect(result).toBe('failed');
    expect(error).toMatchObject({ name: 'TypeError', message: 'no such thing' });
    expect((error as Error).stack).toContain('commands/fail.ts:3');
    expect(content).toContain('no such thing');
    expect(await bot.run('/refuse')).toMatchObject({ result: 'user-error', error: undefined });
  });

  it('shows when a slow command was deferred, on the clock of the test', async () => {
    const bot = await start({
      'commands/slow.ts': command(`await ctx.clock.sleep('5s'); return 'done';`),
    });
    const ran = bot.run('/slow');
    await bot.clock.advance('5s');
    expect(await ran).toMatchObject({
      content: 'done',
      deferred: true,
      edits: [],
      timings: { deferredMs: 1_500, answeredMs: 5_000, endedMs: 5_000 },
    });
  });

  it('waits for this command alone', async () => {
    const files = {
      'commands/hello.ts': command(`return 'Hello!';`),
      'commands/long.ts': command(`await ctx.clock.sleep('1h'); return 'late';`),
      'events/ready.ts': `export default () => new Promise(() => {});`,
      'events/message-create.ts': onMessage(`await new Promise(() => {});`),
    };
    const bot = await start(files, { strict: false });
    const long = bot.run('/long');
    bot.platform.sendMessage({ content: 'hi' });
    const [one, other] = await Promise.all([bot.run('/hello'), bot.run('/hello')]);
    expect([one.replies, other.replies]).toEqual([['Hello!'], ['Hello!']]);
    await bot.clock.advance('15m');
    expect((await long).result).toBe('timed-out');
  });

  it.each([
    [
      'states',
      `async *run() { for (const text of ['1', '12', '123']) { yield text; await setImmediate(); } }`,
    ],
    [
      'pieces',
      `run({ append }) {
        async function* pieces() { for (const text of '123') { yield text; await setImmediate(); } }
        return append(pieces());
      }`,
    ],
  ])('waits for %s that need no clock', async (_, run) => {
    const bot = await start({
      'commands/slow.ts': `import { setImmediate } from 'node:timers/promises';
        export default { description: 'Test', ${run} };`,
    });
    expect((await bot.run('/slow')).content).toBe('123');
  });

  it('ends after its limit, and shows the chat', async () => {
    const bot = await start(
      {
        'commands/ask.ts': command(
          `await ctx.reply('Sure?'); await ctx.clock.sleep('90s'); return 'Yes.';`,
        ),
        'commands/hang.ts': command(`await new Promise(() => {});`),
      },
      { limit: '50ms' },
    );
    await expect(bot.as('grace').run('/ask')).rejects.toMatchObject({
      ...codeOf('E_TEST_LIMIT'),
      message:
        '/ask did not end in 50ms.\n#general\n  grace used /ask\n  demo-bot: Sure?\n' +
        "Try:  The handler sleeps on the clock of the test: call bot.clock.advance('1m30s') before you await the result.",
    });
    const other = await start(
      { 'commands/hang.ts': command(`await new Promise(() => {});`) },
      { limit: '50ms', clock: systemClock },
    );
    await expect(other.run('/hang')).rejects.toMatchObject({
      ...codeOf('E_TEST_LIMIT'),
      message: expect.stringContaining('bot.as(…).react(…)'),
    });
    await expect(other.clock.advance('1s')).rejects.toMatchObject(codeOf('E_TEST_CALL'));
  });

  it.each(['4d 8h', '', '-1s', NaN])('refuses to advance the clock by %j', async (duration) => {
    const bot = await start(FILES);
    const startMs = bot.clock.now();
    await expect(bot.clock.advance(duration as '1s')).rejects.toMatchObject({
      ...codeOf('E_DURATION'),
      message: expect.stringContaining("Try:  Write a number with a unit: '250ms'"),
    });
    expect(bot.clock.now()).toBe(startMs);
  });

  it('refuses a limit that is no duration', async () => {
    const starting = start(FILES, { limit: '3 s' as '3s' });
    await expect(starting).rejects.toMatchObject(codeOf('E_DURATION'));
  });

  it('returns an expired command without waiting for its handler', async () => {
    const bot = await start({
      'commands/mute.ts': command(`await new Promise(() => {});`, `defer: 'never',`),
    });
    const ran = bot.run('/mute');
    await bot.clock.advance('1s');
    bot.expire();
    const { state, result, transcript } = await ran;
    expect({ state, result }).toEqual({ state: 'expired', result: 'expired' });
    expect(transcript).toContain('(/mute expired without an answer)');
  });
});

describe('say and react', () => {
  const PING = onMessage(
    `if (ctx.data.content === 'ping') await ctx.reply('pong');
     if (ctx.data.content === 'throw') throw new Error('broken');`,
  );

  it('return what event handlers did', async () => {
    const bot = await start({ ...FILES, 'events/message-create.ts': PING }, { strict: false });
    const said = await bot.as('grace').in('#bot-spam').say('ping');
    expect(said).toMatchObject({
      replies: ['pong'],
      transcript: '#bot-spam\n  grace: ping\n  demo-bot: pong',
      message: { content: 'ping' },
    });
    expect(said.calls).toMatchObject([{ endpoint: 'messages.send', status: 200 }]);
    expect(await bot.say('hello')).toMatchObject({ replies: [], error: undefined });
    expect((await bot.say('throw')).error).toMatchObject({ message: 'broken' });
  });

  it('attach files', async () => {
    const bot = await start({
      ...FILES,
      'events/message-create.ts': onMessage(
        "await ctx.reply(ctx.data.attachments.map(({ fileName, size }) => fileName + ' ' + size).join());",
      ),
    });
    const file = { name: 'a.txt', data: 'a' };
    expect(await bot.attach(file)).toMatchObject({
      replies: ['a.txt 1'],
      transcript: '#general\n  ada:  [a.txt]\n  demo-bot: a.txt 1',
    });
    expect((await bot.attach([file, file], 'two')).replies).toEqual(['a.txt 1,a.txt 1']);
    const bytes = { name: 'b.txt', data: Buffer.from('é') };
    expect((await bot.attach(bytes)).replies).toEqual(['b.txt 2']);
    expect(bot.platform.upload({ name: 'c.txt', data: 'é' })).toMatchObject({ size: 2 });
  });

  it('answer a command that waits', async () => {
    const bot = await start({
      'commands/reset.ts': command(
        `return (await ctx.confirm('Sure?', { by: 'anyone', within: '30s' })) ? 'Started over.' : 'Kept.';`,
        `intents: ['MESSAGE_REACTIONS'],`,
      ),
      'commands/name.ts': command(
        `const message = await ctx.waitForMessage({ within: '30s' }); return 'Hello, ' + message.content;`,
        `intents: ['SERVER_MESSAGES'],`,
      ),
    });
    const reset = bot.run('/reset');
    await bot.as('grace').react('✅');
    expect((await reset).content).toBe('Started over.');
    const refused = bot.run('/reset');
    await bot.clock.advance('30s');
    expect((await refused).content).toBe('Kept.');
    const name = bot.run('/name');
    await bot.say('Ada');
    expect((await name).content).toBe('Hello, Ada');
  });

  it('answer the question of a task, which a later message does not hide', async () => {
    const bot = await start({
      'commands/deploy.ts': command(
        `await ctx.tasks.deploy.ask(await ctx.reply('Deploy?'), undefined, { within: '1d' });
         await ctx.here.send('Think about it.');`,
      ),
      'tasks/deploy.ts': `
        import { defineTask } from 'virgule';
        export default defineTask({ waits: 'confirm', run: ({ answer }) => 'Answer: ' + answer.yes });`,
    });
    await bot.run('/deploy');
    await bot.react('✅');
    await bot.idle();
    expect(bot.platform.messages().at(-1)?.content).toBe('Answer: true');
  });

  it('do not wait for a bot that does not receive the event', async () => {
    const bot = await start({ 'commands/a.ts': command(`return 'a';`) });
    expect(await bot.say('ping')).toMatchObject({ replies: [], calls: [] });
    expect(await bot.react('👍')).toMatchObject({ replies: [] });
  });
});

describe('emit', () => {
  it('delivers an event, and returns what its handlers did', async () => {
    const bot = await start({
      ...FILES,
      'events/message-delete.ts': `export default ({ data, channel }) => channel(data.channelId).send('Gone: ' + data.messageId);`,
    });
    const { id: channelId } = bot.platform.channel('bot-spam');
    const messageId = '11111111-1111-4111-8111-111111111111';
    const { replies } = await bot.emit('MESSAGE_DELETE', { channelId, messageId });
    expect(replies).toEqual([`Gone: ${messageId}`]);
  });

  it.each(['undefined', `'gone'`])('returns an error if a handler throws %s', async (thrown) => {
    const files = { 'events/message-delete.ts': `export default () => { throw ${thrown}; }` };
    const bot = await start({ ...FILES, ...files }, { strict: false });
    const { id: channelId } = bot.platform.channel('bot-spam');
    const messageId = '11111111-1111-4111-8111-111111111111';
    const { error } = await bot.emit('MESSAGE_DELETE', { channelId, messageId });
    expect(error).toBeInstanceOf(Error);
  });
});

describe('faults of the platform', () => {
  const onRespond = (effect: SimFaultEffect, times = 1): SimFaults => ({
    rules: [{ name: 'fault', on: { request: 'interactions.respond' }, do: effect, times }],
  });

  it('answer with a status, and ask to wait', async () => {
    const bot = await start(FILES, { strict: false });
    bot.platform.setFaults(onRespond({ type: 'status', status: 429, retryAfter: 1 }));
    const ran = bot.run('/hello');
    await bot.clock.advance('5s');
    const { content, calls } = await ran;
    expect(content).toBe('Hello!');
    expect(calls.map(({ status }) => status)).toContain(429);
    expect(bot.platform.faults.rules).toMatchObject([{ hits: 1 }]);
  });

  it.each(['before', 'after', 'within'] as const)(
    'cut a request %s it is carried out',
    async (when) => {
      const bot = await start(FILES, { strict: false });
      bot.platform.setFaults(onRespond({ type: 'cut', when }));
      const ran = bot.run('/hello');
      await bot.clock.advance('20s');
      const { replies, calls } = await ran;
      expect(replies).toEqual(['Hello!']);
      expect(calls[0]).toMatchObject({ endpoint: 'interactions.respond', status: undefined });
    },
  );

  it('delay it', async () => {
    const bot = await start(FILES);
    bot.platform.setFaults(onRespond({ type: 'delay', ms: 1_000 }));
    const ran = bot.run('/hello');
    await bot.clock.advance('1s');
    expect((await ran).timings.answeredMs).toBe(1_000);
  });

  it('refuse connections', async () => {
    const bot = await start(FILES);
    for (const effect of [{ type: 'cut' }, { type: 'status', status: 503 }] as const) {
      const { identifies } = bot.platform.counts;
      const rule = { name: 'down', on: { connect: true }, do: effect, times: 2 } as const;
      bot.platform.setFaults({ rules: [rule] });
      bot.dropSocket();
      await bot.clock.advance('5m');
      expect(bot.platform.faults.rules).toMatchObject([{ hits: 2 }]);
      expect(bot.platform.counts.identifies).toBe(identifies + 1);
    }
  });

  it.each(['hang', 'delay'] as const)('do not keep a bot from closing: %s', async (type) => {
    const bot = await start(FILES, { limit: '20ms' });
    bot.platform.setFaults(onRespond(type === 'hang' ? { type } : { type, ms: 3_600_000 }));
    await expect(bot.run('/hello')).rejects.toMatchObject(codeOf('E_TEST_LIMIT'));
    await expect(bot.close()).resolves.toBeUndefined();
  });
});

describe('dropSocket', () => {
  it('breaks the connection, which is back later', async () => {
    const bot = await start(
      { 'commands/hello.ts': command(`return 'Hello!';`) },
      { limit: '50ms' },
    );
    bot.dropSocket();
    await expect(bot.run('/hello')).rejects.toMatchObject(codeOf('E_TEST_LIMIT'));
    await bot.clock.advance('1m');
    expect(bot.platform.counts.identifies).toBe(2);
    expect((await bot.run('/hello')).content).toBe('Hello!');
  });
});

describe('plan', () => {
  it('returns what a deployment would change', async () => {
    const bot = await start(FILES);
    const plan = bot.plan();
    expect(plan.add).toMatchObject([{ name: 'hello', description: 'Test' }]);
    expect(bot.plan(plan.add)).toMatchObject({ empty: true, same: ['hello'] });
    const old = { ...plan.add[0], name: 'old', description: 'Old', options: [] };
    expect(bot.plan([old]).remove).toMatchObject([{ name: 'old' }]);
  });
});

describe('a dropped socket', () => {
  it('is followed by the missed messages with `backfill`', async () => {
    const files = {
      'events/message-create.ts': onMessage(
        `await ctx.here.send(ctx.recovered + ctx.data.content);`,
      ),
    };
    const bot = await start(files, { config: { backfill: true }, strict: false });
    await bot.say('one');
    bot.dropSocket();
    const said = bot.say('two');
    await bot.clock.advance('1m');
    await said.catch(() => {});
    const texts = bot.platform.messages().map(({ content }) => content);
    expect(texts.slice(1)).toEqual(['one', 'falseone', 'two', 'truetwo']);
  });
});

describe('strict', () => {
  it('shows only the last of the edits of a streamed answer', async () => {
    const code = `async function* words() {
        for (const word of ['one', ' two', ' three']) { yield word; await ctx.clock.sleep('2s'); }
      }
      await ctx.append(words());
      ctx.log.warn('counted');`;
    const bot = await start({ 'commands/count.ts': command(code) });
    const ran = bot.run('/count').catch((error: unknown) => String(error));
    await bot.clock.advance('10s');
    expect(await ran).toMatch(/used \/count\n.*: one\n.*, edited: one two three\nTry: /);
  });

  it('rejects what was logged as a warning or an error', async () => {
    const files = {
      'commands/hello.ts': command(`return 'Hello!';`),
      'commands/nothing.ts': command(``),
      'events/message-create.ts': onMessage(`throw new Error('broken');`),
    };
    const bot = await start(files);
    expect((await bot.run('/hello')).content).toBe('Hello!');
    await expect(bot.say('hi')).rejects.toMatchObject({
      ...codeOf('E_TEST_STRICT'),
      message: expect.stringMatching(
        /"hi" logged a line.*\n.*broken\n#general\n.*ada: hi\nTry:  /s,
      ),
      cause: expect.objectContaining({ message: 'broken' }),
    });
    await expect(bot.run('/nothing')).rejects.toMatchObject(codeOf('E_TEST_STRICT'));
    bot.dropSocket();
    await bot.clock.advance('1m');
    await expect(bot.close()).rejects.toMatchObject({
      ...codeOf('E_TEST_STRICT'),
      message: expect.stringContaining('connection lost'),
    });
    const lenient = await start(files, { strict: false });
    expect((await lenient.say('hi')).error).toMatchObject({ message: 'broken' });
    lenient.dropSocket();
    await lenient.clock.advance('1m');
    await expect(lenient.close()).resolves.toBeUndefined();
  });
});
