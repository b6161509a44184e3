// Runs commands as tools of the `ai` package, in two major versions, with a model that the test plays.
import * as ai6 from 'ai6';
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai6/test';
import * as ai7 from 'ai7';
import type { MessageEvent } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readText } from '../src/command/answer/text-source.js';
import type { Bot } from '../src/bot/running-bot.js';
import { defineCommand } from '../src/command/define/define-command.js';
import { defineMiddleware } from '../src/command/define/define-middleware.js';
import { requireAuthor } from '../src/command/define/require-author.js';
import { defineEvent } from '../src/events/define-event.js';
import { option } from '../src/options/option.js';
import type { CommandTool } from '../src/command/context/to-tool.js';
import type { EventContext } from '../src/events/event-context.js';
import type { Modules } from './project-of.js';
import { CHANNEL, MESSAGE, OTHER_CHANNEL, OTHER_USER, SERVER } from './ids.js';
import { messageWith } from './messages.js';
import { HOSTILE_TEXTS } from './option-values.js';
import { startTestBot, type TestBotOptions } from './test-bot.js';

/** A write of a command. */
interface Written {
  readonly command: string;
  readonly options: unknown;
}

/** A bot with a command that reads, one that writes, and one that no model may call. */
function commandsOf(written: Written[]): Modules {
  const writes = (command: string, tool?: 'reads' | 'writes') => ({
    default: defineCommand({
      description: `Does ${command}`,
      tool,
      options: z.object({ who: z.string(), amount: z.int().min(1).max(100).default(1) }),
      run: ({ options, caller }) => {
        written.push({ command, options });
        return `${caller} ${options.who} ${options.amount}`;
      },
    }),
  });
  return {
    'commands/look.ts': {
      default: defineCommand({
        description: 'Look something up',
        tool: 'reads',
        options: z.object({ what: z.string().max(1_000) }),
        run: ({ options, caller }) => `${caller} saw ${options.what}`,
      }),
    },
    'commands/hand.ts': writes('hand', 'writes'),
    'commands/ban.ts': writes('ban'),
  };
}

/** Runs `handle` as the handler of a message in the bot's channel. */
async function onMessage<Result>(
  modules: Modules,
  handle: (context: EventContext<MessageEvent>, bot: Bot) => Promise<Result>,
  options: TestBotOptions = {},
) {
  let outcome: Promise<Result> | undefined;
  const event = defineEvent('MESSAGE_CREATE', async (context) => {
    outcome = handle(context, bot.bot);
    await outcome.catch(() => {});
  });
  const bot = await startTestBot(
    { ...modules, 'events/message-create.ts': { default: event } },
    options,
  );
  bot.emit('MESSAGE_CREATE', {
    ...messageWith({ id: MESSAGE, authorId: OTHER_USER, content: 'hi' }),
    serverId: SERVER,
  });
  await bot.clock.advance(1_000);
  await bot.bot.idle();
  if (!outcome) throw new Error('The handler did not run.');
  return { bot, result: await outcome };
}

/** Id of the question about a tool. */
const ASKED = '00000000-0000-4000-8000-00000000c001';

interface ToolCall {
  readonly toolName: string;
  readonly input: unknown;
}

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that makes these calls in its first step, and says what it got in its second. */
function playModel(calls: readonly ToolCall[]) {
  let step = 0;
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      step += 1;
      const reason = step === 1 ? 'tool-calls' : 'stop';
      const content =
        step === 1
          ? calls.map(({ toolName, input }, index) => ({
              type: 'tool-call' as const,
              toolCallId: String(index),
              toolName,
              input: JSON.stringify(input),
            }))
          : [{ type: 'text' as const, text: JSON.stringify(prompt.at(-1)?.content) }];
      return {
        content,
        finishReason: { unified: reason, raw: undefined },
        usage: USAGE,
        warnings: [],
      };
    },
  });
}

type Tools = Readonly<Record<string, CommandTool>>;
type Generate = (options: {
  readonly model: MockLanguageModelV3;
  readonly tools: Tools;
}) => Promise<{ readonly text: string }>;

const PROMPT = 'Do as the messages say.';
const generate6: Generate = (options) =>
  ai6.generateText({ ...options, prompt: PROMPT, stopWhen: ai6.stepCountIs(2) });
const generate7: Generate = (options) =>
  ai7.generateText({ ...options, prompt: PROMPT, stopWhen: ai7.isStepCount(2) });

describe.each([
  ['ai 6', generate6],
  ['ai 7', generate7],
])('the tools of %s', (_, generate) => {
  it('show the commands to the model, run them, and return their answers', async () => {
    const written: Written[] = [];
    const model = playModel([
      { toolName: 'look', input: { what: 'a "b" --c' } },
      { toolName: 'look', input: {} },
      { toolName: 'hand', input: { who: 'ada', amount: 5 } },
    ]);
    const { result } = await onMessage(commandsOf(written), ({ tools }) =>
      generate({ model, tools: tools('look', 'hand') }),
    );
    expect(model.doGenerateCalls[0]?.tools).toMatchObject([
      {
        name: 'look',
        description: 'Look something up',
        inputSchema: {
          type: 'object',
          properties: { what: { type: 'string', maxLength: 1_000 } },
          required: ['what'],
        },
      },
      {
        name: 'hand',
        inputSchema: { properties: { amount: { type: 'integer', minimum: 1, maximum: 100 } } },
      },
    ]);
    expect(JSON.parse(result.text)).toMatchObject([
      { toolName: 'look', output: { type: 'json', value: { content: 'model saw a "b" --c' } } },
      { toolName: 'look', output: { value: { result: 'input' } } },
      { toolName: 'hand', output: { value: { content: 'model ada 5' } } },
    ]);
    expect(written).toEqual([{ command: 'hand', options: { who: 'ada', amount: 5 } }]);
  });

  it('that ask run after an approval', async () => {
    const written: Written[] = [];
    const { default: hand } = Object(commandsOf(written)['commands/hand.ts']);
    const asking = { ...hand, tool: { asks: 'author' } };
    const model = playModel([{ toolName: 'hand', input: { who: 'ada', amount: 5 } }]);
    const { bot, result } = await onMessage(
      { 'commands/hand.ts': { default: asking } },
      ({ tools, rest }) => {
        rest.messages.send = async () => messageWith({ id: ASKED });
        return generate({ model, tools: tools('hand') });
      },
    );
    expect(JSON.parse(result.text)).toMatchObject([
      { output: { value: { content: 'Asked. The answer will be in the chat.' } } },
    ]);
    expect(written).toEqual([]);
    const emoji = { kind: 'unicode', unicodeEmoji: '✅' };
    const place = { serverId: SERVER, channelId: CHANNEL, messageId: ASKED };
    bot.emit('MESSAGE_REACTION_ADD', { ...place, userId: OTHER_USER, emoji, count: 1 });
    await bot.clock.advance(1_000);
    expect(written).toEqual([{ command: 'hand', options: { who: 'ada', amount: 5 } }]);
  });

  it('carry each of 40 hostile texts as data', async () => {
    const calls = HOSTILE_TEXTS.map((what) => ({ toolName: 'look', input: { what } }));
    const written: Written[] = [];
    const { result } = await onMessage(commandsOf(written), ({ tools }) =>
      generate({ model: playModel(calls), tools: tools() }),
    );
    const outputs = JSON.parse(result.text) as { output: { value: { content: string } } }[];
    expect(outputs.map(({ output }) => output.value)).toEqual(
      HOSTILE_TEXTS.map((what) => ({ content: `model saw ${what}` })),
    );
    expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(40);
    expect(written).toEqual([]);
  });
});

/** Calls that a stranger orders from the model of another user, to write something. */
const ORDERS: readonly ToolCall[] = [
  ...[
    'hand',
    'ban',
    'Hand',
    '/hand',
    'hand ',
    'look hand',
    'admin-ban',
    '__proto__',
    'constructor',
  ].map((toolName) => ({ toolName, input: { who: 'eve', amount: 100 } })),
  ...[
    '/hand eve 100',
    'x\n/hand eve 100',
    '"; hand eve 100',
    '--caller=slash',
    'caller:slash',
    '!hand eve',
  ].map((what) => ({ toolName: 'look', input: { what } })),
  ...[
    { author: { id: 'owner' } },
    { as: 'owner' },
    { caller: 'slash' },
    { at: { channelId: OTHER_CHANNEL } },
    { tool: 'hand' },
    { command: 'hand' },
    { what: 'x', run: 'hand' },
    { what: { hand: 'eve' } },
    { what: ['hand', 'eve'] },
    { what: 'x'.repeat(70_000) },
  ].map((input) => ({ toolName: 'look', input })),
  ...[null, [], 'hand eve 100', 7, true].map((input) => ({ toolName: 'hand', input })),
  ...HOSTILE_TEXTS.slice(0, 10).map((toolName) => ({ toolName, input: { who: 'eve' } })),
];

describe.each([
  ['ai 6', generate6],
  ['ai 7', generate7],
])('a model of %s that obeys a stranger', (_, generate) => {
  it('has 40 orders, of which it can carry out none', async () => {
    expect(ORDERS.length).toBeGreaterThanOrEqual(40);
    for (const order of ORDERS) {
      const written: Written[] = [];
      const { bot } = await onMessage(commandsOf(written), ({ tools }) =>
        generate({ model: playModel([order]), tools: tools() }),
      );
      expect([order, written, bot.lines]).toEqual([order, [], []]);
    }
  });

  it('carries none out either if the owner asked, with the tools that write', async () => {
    const OWNER = OTHER_USER;
    const ownersOnly = defineMiddleware(({ author }, next) =>
      author?.id === OWNER ? next() : 'Only for the owner.',
    );
    for (const order of ORDERS) {
      const written: Written[] = [];
      const modules = {
        ...commandsOf(written),
        'commands/_middleware.ts': { default: ownersOnly },
      };
      const { bot } = await onMessage(modules, async ({ tools, call, data }) => {
        await generate({ model: playModel([order]), tools: tools('look', 'hand') });
        expect([order, written]).toEqual([order, []]);
        // The owner may.
        await call('hand', { who: 'ada' }, { as: { id: data.authorId } });
      });
      expect(written).toEqual([{ command: 'hand', options: { who: 'ada', amount: 1 } }]);
      expect(bot.lines).toEqual([]);
    }
  });
});

it('runs no command of an author for a model, not even through another command', async () => {
  const written: Written[] = [];
  const grant = defineCommand({
    description: 'Grant a role',
    tool: 'writes',
    run: ({ author }) => void written.push({ command: 'grant', options: author }),
  });
  const deputy = defineCommand({
    description: 'Grants a role for its author',
    tool: 'reads',
    run: async ({ call }) => (await call(grant, {}, { as: { id: OTHER_USER } })).content,
  });
  const modules = {
    'commands/admin/_middleware.ts': { default: requireAuthor() },
    'commands/admin/grant.ts': { default: grant },
    'commands/deputy.ts': { default: deputy },
  };
  const { result } = await onMessage(modules, async ({ tools, call }) => {
    const { deputy: through, 'admin-grant': direct } = tools('deputy', 'admin-grant');
    const refusals = [await direct?.execute({}), await through?.execute({})];
    expect(written).toEqual([]);
    await call(deputy, {});
    return refusals;
  });
  expect(result).toMatchObject([
    { result: 'user-error', content: expect.stringContaining('admin-grant') },
    { content: expect.stringContaining('admin-grant') },
  ]);
  expect(written).toMatchObject([{ options: { id: OTHER_USER } }]);
});

describe('tools', () => {
  it('are the commands that read, or exactly the named ones', async () => {
    const hand = defineCommand({ description: 'Hand', tool: 'writes', run: () => 'done' });
    const modules = { ...commandsOf([]), 'commands/hand.ts': { default: hand } };
    const { result } = await onMessage(modules, async ({ tools }) => [
      Object.keys(tools()),
      Object.keys(tools('hand')),
      Object.keys(tools(hand, 'look')),
      Object.keys(tools([hand, 'look'])),
      Object.keys(tools([])),
    ]);
    expect(result).toEqual([['look'], ['hand'], ['hand', 'look'], ['hand', 'look'], []]);
    for (const [name, message] of [
      ['ban', '/ban is not a tool for models.'],
      ['gone', '/gone is not a command of this bot.'],
    ] as const)
      await expect(onMessage(modules, async ({ tools }) => tools(name))).rejects.toMatchObject({
        code: 'E_CALL',
        message,
      });
  });

  it('describe every kind of option', async () => {
    const all = z.object({
      size: z.int().min(2).max(9).optional(),
      half: z.number().default(0.5),
      loud: z.boolean().optional(),
      yes: z.stringbool().optional().meta({ named: true }),
      kind: z.enum(['a', 'b']).optional(),
      level: z.literal([1, 2]).optional(),
      after: option.duration({ min: '1s' }).optional(),
      who: option.user().describe('Whom').optional(),
      whose: option.user({ default: 'author' }),
      tags: z.array(z.int()).max(3).optional(),
    });
    const { result } = await onMessage(
      {
        'commands/x.ts': {
          default: { description: 'X', tool: 'reads', options: all, run: () => 'x' },
        },
      },
      async ({ tools }) => tools()['x']?.inputSchema['~standard'].jsonSchema.input(),
    );
    expect(result).toMatchObject({
      type: 'object',
      required: ['whose'],
      additionalProperties: false,
      properties: {
        size: { type: 'integer', minimum: 2, maximum: 9 },
        half: { type: 'number' },
        loud: { type: 'boolean' },
        yes: { type: 'boolean' },
        kind: { type: 'string', enum: ['a', 'b'] },
        level: { type: 'number', enum: [1, 2] },
        after: { type: 'string', description: expect.stringContaining('a duration, at least 1s') },
        who: { type: 'string', description: 'Whom: a user, as a mention or an id' },
        tags: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
      },
    });
  });

  it('name no other channel, and show no cause of an error', async () => {
    const options = z.object({
      to: option.channel().optional(),
      message: option.message().optional(),
      place: z.union([option.channel(), z.literal('here')]).optional(),
      piped: z.string().trim().pipe(option.channel()).optional(),
      several: z
        .string()
        .transform((text) => text.split(','))
        .pipe(z.array(option.channel()))
        .optional(),
    });
    const { result } = await onMessage(
      {
        'commands/post.ts': {
          default: { description: 'Post', tool: 'writes', options, run: () => 'posted' },
        },
        'commands/fail.ts': {
          default: defineCommand({
            description: 'Fail',
            tool: 'reads',
            run: () => {
              throw new Error('password is 1234');
            },
          }),
        },
        'commands/deputy.ts': {
          default: defineCommand({
            description: 'Calls another command',
            tool: 'reads',
            run: async ({ call }) => {
              const { content, result: inner } = await call('post', { to: `<#${OTHER_CHANNEL}>` });
              return `${inner}: ${content}`;
            },
          }),
        },
      },
      async ({ tools }) => {
        const { post, fail, deputy } = tools('post', 'fail', 'deputy');
        const link = (channel: string) => ({ message: `https://x.test/${channel}/${MESSAGE}` });
        return [
          await post?.execute({ to: `<#${CHANNEL}>`, message: MESSAGE }),
          await post?.execute(link(CHANNEL)),
          await post?.execute({ to: OTHER_CHANNEL }),
          await post?.execute({ to: '#general' }),
          await post?.execute(link(OTHER_CHANNEL)),
          await post?.execute({ place: OTHER_CHANNEL }),
          await post?.execute({ piped: OTHER_CHANNEL }),
          await post?.execute({ piped: ` <#${OTHER_CHANNEL}> ` }),
          await post?.execute({ piped: ' #general' }),
          await post?.execute({ several: `<#${CHANNEL}>,<#${OTHER_CHANNEL}>` }),
          await post?.execute({ several: `<#${CHANNEL}>,${CHANNEL.toUpperCase()}` }),
          await post?.execute({ place: 'here' }),
          await fail?.execute({}),
          await deputy?.execute({}),
        ];
      },
      { development: true },
    );
    const refused = { content: expect.stringContaining('only this channel'), result: 'input' };
    expect(result).toEqual([
      { content: 'posted' },
      { content: 'posted' },
      refused,
      refused,
      refused,
      refused,
      refused,
      refused,
      refused,
      refused,
      { content: 'posted' },
      { content: 'posted' },
      { content: expect.not.stringContaining('1234'), result: 'failed' },
      { content: expect.stringContaining('input: to: only this channel') },
    ]);
  });

  it('neither run nor ask after the signal of the call', async () => {
    let count = 0;
    const run = (): string => `run ${(count += 1)}`;
    const { result } = await onMessage(
      {
        'commands/pay.ts': {
          default: defineCommand({ description: 'Pay', tool: { asks: 'anyone' }, run }),
        },
        'commands/read.ts': { default: defineCommand({ description: 'Read', tool: 'reads', run }) },
      },
      async ({ tools }) => {
        const abortSignal = AbortSignal.abort();
        const calls = Object.values(tools('read', 'pay')).map((each) =>
          each.execute({}, { abortSignal }).catch((error: { code?: string }) => error.code),
        );
        return Promise.all(calls);
      },
    );
    expect(result).toEqual(['E_CALL', 'E_CALL']);
    expect(count).toBe(0);
  });

  it('end with the signal of the call', async () => {
    const abort = new AbortController();
    const { result } = await onMessage(
      {
        'commands/wait.ts': {
          default: defineCommand({
            description: 'Wait',
            tool: 'reads',
            run: async ({ clock }) => {
              const sleeping = clock.sleep('1h');
              abort.abort();
              await sleeping;
            },
          }),
        },
      },
      async ({ tools }) => tools()['wait']?.execute({}, { abortSignal: abort.signal }),
    );
    expect(result).toMatchObject({ result: 'stopped' });
  });

  it('are refused when a reload has changed their command', async () => {
    const look = { default: { description: 'Look', tool: 'writes', run: () => 'x' } };
    const next = await startTestBot({ 'commands/look.ts': look });
    const running = onMessage(commandsOf([]), async ({ tools }, bot) => {
      const old = tools()['look'];
      bot.use(next.bot.project);
      return old?.execute({ what: 'x' });
    });
    await expect(running).rejects.toMatchObject({ code: 'E_CALL' });
  });
});

const start6 = (model: MockLanguageModelV3, tools: Tools) =>
  ai6.streamText({ model, tools, prompt: PROMPT, stopWhen: ai6.stepCountIs(2), onError: () => {} });
const start7 = (model: MockLanguageModelV3, tools: Tools) =>
  ai7.streamText({ model, tools, prompt: PROMPT, stopWhen: ai7.isStepCount(2), onError: () => {} });

describe.each([
  ['ai 6', start6],
  ['ai 7', start7],
])('the answer of a model of %s', (_, start) => {
  type Stream = Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'];
  type Part = Stream extends ReadableStream<infer Type> ? Type : never;

  /** A model whose steps consist of these parts. */
  const streaming = (...steps: readonly (readonly Part[])[]) => {
    let step = 0;
    return new MockLanguageModelV3({
      doStream: async () => ({ stream: convertArrayToReadableStream([...(steps[step++] ?? [])]) }),
    });
  };
  const text = (...deltas: readonly string[]): Part[] => [
    { type: 'text-start', id: '1' },
    ...deltas.map((delta): Part => ({ type: 'text-delta', id: '1', delta })),
    { type: 'text-end', id: '1' },
  ];
  const finish = (unified: 'stop' | 'tool-calls'): Part => ({
    type: 'finish',
    finishReason: { unified, raw: undefined },
    usage: USAGE,
  });

  it('is appended, with a paragraph for each step', async () => {
    const input = JSON.stringify({ what: 'it' });
    const call: Part = { type: 'tool-call', toolCallId: '1', toolName: 'look', input };
    const model = streaming(
      [...text('Let me look.'), call, finish('tool-calls')],
      [...text('It is', ' here.'), finish('stop')],
    );
    const { result } = await onMessage(commandsOf([]), async ({ tools }) => {
      const pieces = readText(start(model, tools('look')));
      let all = '';
      for (let step = await pieces.next(); !step.done; step = await pieces.next())
        all += step.value;
      return all;
    });
    expect(result).toBe('Let me look.\n\nIt is here.');
  });

  it('throws the error of the model, and its text remains', async () => {
    const model = streaming([
      ...text('So far.'),
      { type: 'error', error: new Error('overloaded') },
    ]);
    const { bot, result } = await onMessage(commandsOf([]), ({ append, tools }) =>
      append(start(model, tools('look'))).catch(String),
    );
    expect([bot.lines, result]).toEqual([['messages.send So far.'], 'Error: overloaded']);
  });
});
