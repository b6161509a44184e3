import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  outcomeUnknown,
  rateLimited,
  refused,
  unreachable,
} from '../../../test/client-failures.js';
import { createFakeRest } from '../../../test/fake-rest.js';
import {
  BOT_USER,
  CHANNEL,
  interactionId,
  MESSAGE,
  OTHER_USER,
  SERVER,
} from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import type { Modules } from '../../../test/project-of.js';
import { createTaskMachine, type TaskProcess } from '../../../test/task-processes.js';
import type { CommandContext } from '../context/command-context.js';
import {
  defineCommand,
  type CommandDefinition,
  type ToolApproval,
} from '../define/define-command.js';
import { option } from '../../options/option.js';
import type { Texts } from '../texts.js';
import { userRef } from '../../options/references.js';
import { defineEvent } from '../../events/define-event.js';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const ASKED = 'Asked. The answer will be in the chat.';
const OWNER = '00000000-0000-4000-8000-0000000000a1';
const INTERRUPTED = 'This command was interrupted before it ended.';
const WITH_DEFAULT = z.object({
  who: z.string(),
  amount: z.int(),
  currency: z.string().default('EUR'),
});
const WITH_HIDDEN = z.object({
  who: z.string(),
  amount: z.int(),
  from: z
    .string()
    .optional()
    .transform((from) => from ?? 'treasury'),
});
const QUESTION = '00000000-0000-4000-8000-00000000c001';

/** A bot whose model calls a tool for each message, which is by OTHER_USER: /pay, or /wrap, which calls /pay. */
async function open(
  { asks = [OWNER], within }: Partial<ToolApproval> = {},
  latencyMs?: () => number,
  name = 'pay',
  schema: z.ZodObject = z.object({ who: z.string(), amount: z.int().max(9).optional() }),
  texts: Partial<Texts> = {},
) {
  const machine = await createTaskMachine({ ...(latencyMs && { latencyMs }) });
  const paid: unknown[] = [];
  const outputs: unknown[] = [];
  const state: { input: object; others: object[] } = {
    input: { who: 'ada', amount: 5 },
    others: [],
  };
  const pay = defineCommand({
    description: 'Pay',
    tool: { asks, within },
    options: schema,
    run: ({ options, caller, author, serverId }) => {
      paid.push({ ...Object(options), caller, author, serverId });
      return `Paid ${Object(options).who}.`;
    },
  });
  const callPay = async ({ tools }: Pick<CommandContext, 'tools'>): Promise<void> => {
    const inputs = name === 'pay' ? [state.input, ...state.others] : [{}];
    const calls = inputs.map(async (input) => tools(name)[name]?.execute(input));
    outputs.push(...(await Promise.all(calls)));
  };
  const modules: Modules = {
    'commands/pay.ts': { default: pay },
    'commands/wrap.ts': {
      default: {
        description: 'Wrap',
        tool: 'reads',
        run: ({ call }: CommandContext) => call('pay', state.input),
      },
    },
    'commands/x.ts': { default: { description: 'Call it', run: callPay } },
    'events/message-create.ts': { default: defineEvent('MESSAGE_CREATE', callPay) },
  };
  const restOf = () => {
    const rest = createFakeRest();
    rest.always('messages.send', (channelId: string, body: object) => ({
      ...messageWith({ id: QUESTION }),
      ...body,
      channelId,
    }));
    return rest;
  };
  const start = async () => {
    const rest = restOf();
    const process = await machine.start(
      {},
      { rest: rest.rest, development: false, texts },
      modules,
    );
    return { ...process, rest };
  };
  const process = await start();
  const ask = async (by: TaskProcess = process) => {
    by.emit('MESSAGE_CREATE', {
      ...messageWith({ id: MESSAGE, authorId: OTHER_USER, content: 'hi' }),
      serverId: SERVER,
    });
    await machine.clock.advance(SECOND);
  };
  const press = async (
    userId: string,
    unicodeEmoji: string,
    by: TaskProcess = process,
    messageId = QUESTION,
  ) => {
    by.emit('MESSAGE_REACTION_ADD', {
      serverId: SERVER,
      channelId: CHANNEL,
      messageId,
      userId,
      emoji: { kind: 'unicode', unicodeEmoji },
      count: 1,
    });
    await machine.clock.advance(SECOND);
  };
  return { machine, modules, paid, outputs, state, start, process, ask, press };
}

const sent = ({ rest }: TaskProcess) =>
  rest.calls
    .filter(({ endpoint }) => endpoint === 'messages.send')
    .map(({ args: [, body] }) => body);
const edited = ({ rest }: TaskProcess) =>
  rest.lines.filter((line) => line.startsWith('messages.edit'));

describe('a tool that asks', () => {
  it('adds no task that a hint names', async () => {
    const { process } = await open();
    await expect(process.task('none').in('1s')).rejects.toMatchObject({
      hint: 'Create tasks/none.ts. Available: none.',
    });
  });

  it('runs when a user has approved it, after a restart, and replies to the question', async () => {
    const { machine, paid, outputs, start, process, ask, press } = await open();
    await ask();
    expect(outputs).toEqual([{ content: 'Asked. The answer will be in the chat.' }]);
    expect(sent(process)).toMatchObject([
      {
        content: `A language model asks to run this. <@${OWNER}> can approve it:\n\`\`\`\n/pay\nwho: ada\namount: 5\n\`\`\``,
      },
    ]);
    process.kill();
    const next = await start();
    await press(OTHER_USER, '✅', next);
    await press(BOT_USER.toUpperCase(), '✅', next);
    expect(paid).toEqual([]);
    await press(OWNER.toUpperCase(), '✅', next);
    await press(OWNER, '✅', next);
    expect(paid).toEqual([
      { who: 'ada', amount: 5, caller: 'model', author: undefined, serverId: SERVER },
    ]);
    expect(sent(next)).toMatchObject([{ content: 'Paid ada.', replyToMessageId: QUESTION }]);
    expect(await machine.entries()).toEqual([]);
  });

  it.each([
    ['❌', 'refused'],
    ['⌛', 'not answered in time'],
  ])('shows %s and does not run when it is %s', async (mark) => {
    const { machine, paid, process, ask, press } = await open({ within: '1h' });
    await ask();
    if (mark === '❌') await press(OWNER, mark);
    else await machine.clock.advance(DAY);
    await press(OWNER, '✅');
    expect(edited(process)).toEqual([expect.stringContaining(mark)]);
    expect(paid).toEqual([]);
  });

  it.each([rateLimited(), unreachable()])('shows ❌ after a failure: %s', async (failure) => {
    const { machine, paid, process, ask, press } = await open();
    await ask();
    process.rest.always('messages.edit', failure);
    process.rest.always('users.me', failure);
    await press(OWNER, '❌');
    await machine.clock.advance(300 * SECOND);
    process.rest.always('messages.edit', undefined);
    await machine.clock.advance(3_600 * SECOND);
    expect(edited(process).at(-1)).toContain('❌');
    expect(sent(process)).toHaveLength(1);
    expect(paid).toEqual([]);
    expect(await machine.entries()).toEqual([]);
  });

  it.each(['killed', 'closed'])(
    'replies once after its process was %s in an outage',
    async (end) => {
      const { machine, paid, start, process, ask, press } = await open();
      await ask();
      process.rest.always('messages.send', refused(503));
      await press(OWNER, '✅');
      if (end === 'killed') process.kill();
      else {
        const closing = process.bot.close();
        await machine.clock.advance(60 * SECOND);
        await closing;
      }
      await machine.clock.advance(60 * SECOND);
      const next = await start();
      await machine.clock.advance(600 * SECOND);
      expect(sent(next)).toMatchObject([{ content: 'Paid ada.', replyToMessageId: QUESTION }]);
      expect(paid).toHaveLength(1);
      expect(await machine.entries()).toEqual([]);
    },
  );

  it('shows the model no error of the storage or the platform', async () => {
    const { outputs, process, ask } = await open();
    process.rest.always('messages.send', refused(400, 'secret'));
    await ask();
    expect(outputs).toEqual([{ content: 'Something went wrong.', result: 'failed' }]);
    expect(process.log.at('error')).toEqual(['could not ask for /pay']);
  });

  it('is asked again after its question was deleted', async () => {
    const { machine, outputs, process, ask } = await open();
    await ask();
    await ask();
    expect(sent(process)).toHaveLength(1);
    process.rest.always('messages.get', refused(404));
    await ask();
    expect(sent(process)).toHaveLength(2);
    expect(outputs).toEqual(Array(3).fill({ content: ASKED }));
    expect(await machine.storage.list('tasks:ask:')).toHaveLength(1);
  });

  it('is not asked if the text of the bot leaves no room for the whole call', async () => {
    const approval = ({ line }: { line: string }): string => 'x'.repeat(1_990) + line;
    const { outputs, process, ask } = await open({}, undefined, 'pay', undefined, { approval });
    await ask();
    expect(outputs).toMatchObject([{ result: 'input' }]);
    expect(sent(process)).toEqual([]);
  });

  it('asks the author of the message, and is refused without one', async () => {
    const { machine, paid, outputs, process, ask, press } = await open({ asks: 'author' });
    await ask();
    await press(OWNER, '✅');
    expect(paid).toEqual([]);
    await press(OTHER_USER, '✅');
    expect(paid).toHaveLength(1);
    process.emit('APPLICATION_COMMAND', {
      interactionId: interactionId(1),
      serverId: SERVER,
      channelId: CHANNEL,
      name: 'x',
      rawInput: '/x',
    });
    await machine.clock.advance(SECOND);
    expect(outputs.at(-1)).toMatchObject({ result: 'user-error' });
  });

  it('asks also if a command that the model may run calls it', async () => {
    const { outputs, paid, process, ask, press } = await open(
      { asks: 'author' },
      undefined,
      'wrap',
    );
    await ask();
    expect(outputs).toEqual([{ content: 'Asked. The answer will be in the chat.' }]);
    await press(OWNER, '✅');
    expect(paid).toEqual([]);
    await press(OTHER_USER, '✅');
    expect(paid).toMatchObject([{ caller: 'model' }]);
    expect(sent(process)).toHaveLength(2);
  });

  it.each<[string, () => Error, string[]]>([
    ['refuses', () => refused(403, 'permission_denied'), []],
    ['does not confirm', outcomeUnknown, ['Paid ada.']],
    ['does not receive', unreachable, ['Paid ada.']],
  ])('is done, whether or not the platform %s its reply', async (_, error, replies) => {
    const { machine, paid, process, ask, press } = await open();
    await ask();
    const texts: string[] = [];
    const send = (channelId: string, { content }: { content: string }) => {
      texts.push(content);
      return { ...messageWith({ id: QUESTION }), channelId, content };
    };
    process.rest.always('messages.send', send);
    process.rest.once('messages.send', error());
    // A refused reply is sent again without its reference.
    if (replies.length === 0) process.rest.once('messages.send', error());
    await press(OWNER, '✅');
    await machine.clock.advance(60 * SECOND);
    expect(paid).toHaveLength(1);
    expect(texts).toEqual(replies);
    expect(await machine.entries()).toEqual([]);
    expect(process.log.at('warn')).toHaveLength(1);
    expect(process.log.at('error')).toEqual([]);
  });

  it('shows and stores references and defaults as a user would type them', async () => {
    const options = z.object({
      to: option.user(),
      coins: z.int().default(7),
      in: option.duration().optional(),
      loud: z.boolean().default(false),
      tags: z.array(z.string()).optional(),
    });
    const { paid, state, process, ask, press } = await open({}, undefined, 'wrap', options);
    const to = userRef(OTHER_USER);
    state.input = { to, in: 90_000, tags: ['a b', 'c'] };
    await ask();
    expect(sent(process)).toMatchObject([
      {
        content: expect.stringContaining(
          `/pay\nto: <@\u200B${OTHER_USER}>\ncoins: 7\nin: 1m30s\nloud: false\ntags: ["a b","c"]\n\`\`\`\nto: ${String(to)}`,
        ),
      },
    ]);
    await press(OWNER, '✅');
    expect(paid).toMatchObject([{ to, coins: 7, in: 90_000, tags: ['a b', 'c'], loud: false }]);
  });

  it('mentions the users that it names below the frame, and no roles', async () => {
    const options = z.object({
      to: option.user(),
      team: option.mentionable(),
      about: option.mentionable(),
      cc: z.array(option.user()),
    });
    const { outputs, state, process, ask } = await open({}, undefined, 'pay', options);
    const [owner, other] = [userRef(OWNER), userRef(OTHER_USER)].map(String);
    state.input = {
      to: other,
      team: `<@&${OWNER}>`,
      about: OWNER,
      cc: [OWNER.toUpperCase(), other],
    };
    await ask();
    expect(outputs).toMatchObject([{ content: 'Asked. The answer will be in the chat.' }]);
    const [{ content = '' } = {}] = sent(process) as { content?: string }[];
    // A reader knows no ids, and the platform renders no mentions in a frame.
    expect(content.split('\n```\n').at(-1)).toBe(
      `to: ${other}\nabout: ${owner}\ncc: ${owner} ${other}`,
    );
  });

  let seconds = 0;
  it.each<[string, z.ZodType]>([
    ['converted', z.string().transform(Number).default(5)],
    [
      'made by a conversion',
      z
        .string()
        .optional()
        .transform((text) => text ?? 'all'),
    ],
    ['a boolean of words', z.stringbool().default(false)],
    ['varying', option.duration().default(() => `${(seconds += 1)}s`)],
  ])('asks only with a value if the default is %s', async (_, amount) => {
    const options = z.object({ who: z.string(), amount });
    const { outputs, state, process, ask } = await open({}, undefined, 'pay', options);
    state.input = { who: 'ada' };
    await ask();
    expect(outputs).toMatchObject([
      { result: 'input', content: expect.stringContaining('amount') },
    ]);
    expect(sent(process)).toEqual([]);
  });

  it('shares an open question with equal calls, and opens at most five for an author', async () => {
    const { outputs, paid, state, start, process, ask, press } = await open();
    process.rest.always('messages.send', (channelId: string, body: object) => ({
      ...messageWith({ id: `${QUESTION.slice(0, -2)}${20 + sent(process).length}` }),
      ...body,
      channelId,
    }));
    state.others = [5, '5', 5, 1, 1, 2, 3, 4, 6, 7].map((amount) => ({ who: 'ada', amount }));
    await ask();
    expect(sent(process)).toHaveLength(5);
    const refused = outputs.filter((output) => Object(output).result === 'busy');
    expect([outputs.length, refused]).toEqual([11, [refused[0], refused[0]]]);
    process.kill();
    const next = await start();
    await ask(next);
    expect(sent(next)).toEqual([]);
    await press(OWNER, '❌', next, `${QUESTION.slice(0, -2)}21`);
    state.others = [];
    await ask(next);
    expect([sent(next).length, outputs.at(-1), paid]).toEqual([1, { content: ASKED }, []]);
  });

  it.each<[string, object, object]>([
    ['invalid options', { who: 'ada', what: 1 }, { result: 'input' }],
    ['an option that the schema refuses', { who: 'ada', amount: 99 }, { result: 'input' }],
    ['a call without a required option', { amount: 5 }, { result: 'input' }],
    ['a text that is too long to be shown', { who: 'x'.repeat(2_000) }, { result: 'input' }],
    ['a text that would be too wide', { who: `a${' '.repeat(400)}b` }, { result: 'input' }],
  ])('does not ask about %s', async (_, input, output) => {
    const { outputs, state, process, ask } = await open();
    state.input = input;
    await ask();
    expect(outputs).toMatchObject([output]);
    expect(sent(process)).toEqual([]);
  });

  it.each([
    [String.raw`a\n`, String.raw`a\\n`],
    ['a\n```` @everyone \u202E<@1>', 'a\\n`\u200B``\u200B` @\u200Beveryone \\u202e<@\u200B1>'],
    ['b\u2028\u3164\u200B\u{E0041}c', String.raw`b\u{2028}\u{3164}\u{200b}\u{e0041}c`],
    [' a   b ', String.raw`\u{20}a \u{20}\u{20}b\u{20}`],
    ['e\u0301\u0302\u0303', 'e\u0301\u0302\\u{303}'],
  ])('shows all of %j on the line of the option', async (who, shown) => {
    const { state, process, ask } = await open();
    state.input = { who, amount: 5 };
    await ask();
    expect(sent(process)).toMatchObject([
      { content: expect.stringContaining(`\n/pay\nwho: ${shown}\namount: 5\n\`\`\``) },
    ]);
  });

  it.each<[string, string, CommandDefinition['tool'], z.ZodObject?]>([
    ['gone', 'other', { asks: 'anyone' }],
    ['one that others approve', 'pay', { asks: [BOT_USER] }],
    ['one that the author approves', 'pay', { asks: 'author' }],
    ['one that does not ask', 'pay', 'writes'],
    ['one without the shown options', 'pay', { asks: [OWNER] }],
    ['one with another default', 'pay', { asks: [OWNER] }, WITH_DEFAULT],
    ['one with a value that no one has seen', 'pay', { asks: [OWNER] }, WITH_HIDDEN],
  ])('whose command is %s after a deploy fails visibly', async (_, name, tool, options) => {
    const { machine, paid, process, ask, press, modules } = await open();
    await ask();
    const run = (): void => void paid.push(name);
    const next = defineCommand({ description: 'x', tool, options, run });
    const other = defineCommand({ description: 'x', tool: { asks: 'anyone' }, run: () => 'x' });
    await process.reload(
      {},
      {
        'events/message-create.ts': modules['events/message-create.ts'] ?? {},
        'commands/other.ts': { default: other },
        [`commands/${name}.ts`]: { default: next },
      },
    );
    await press(OWNER, '✅');
    expect(paid).toEqual([]);
    expect(sent(process).at(-1)).toMatchObject({
      content: 'Something went wrong.',
      replyToMessageId: QUESTION,
    });
    expect(await machine.storage.list('tasks:failed:')).toHaveLength(1);
  });

  it.each([
    ['an hour', 1 / 24, 1],
    ['more than a day', 3, 0],
  ])('is made %s after its deadline: %d days, %i times', async (_, days, count) => {
    const { machine, paid, process, ask, modules } = await open();
    await ask();
    const users = [{ id: OWNER, username: 'x', displayName: 'x' }];
    const emoji = { kind: 'unicode', unicodeEmoji: '✅' };
    process.rest.always('reactions.details', { reactions: [{ emoji, users }] });
    const { 'commands/pay.ts': _pay, 'commands/wrap.ts': _wrap, ...others } = modules;
    await process.reload({}, others);
    await machine.clock.advance((1 + days) * DAY);
    await process.reload({}, modules);
    await machine.clock.advance(SECOND);
    expect(paid).toHaveLength(count);
    const content = count ? 'Paid ada.' : 'Something went wrong.';
    expect(sent(process).at(-1)).toMatchObject({ content });
  });

  it.each(Array.from({ length: 16 }, (_, index) => index + 1))(
    'that is approved, with a kill at use %i of the storage, has one outcome',
    async (use) => {
      let uses = Infinity;
      const first: TaskProcess[] = [];
      const { machine, paid, start, process, ask, press } = await open({}, () => {
        if ((uses += 1) === use) first[0]?.kill();
        return 1;
      });
      first.push(process);
      await ask();
      uses = 0;
      await press(OWNER, '✅');
      const next = await start();
      next.rest.always('reactions.details', {
        reactions: [{ emoji: { kind: 'unicode', unicodeEmoji: '✅' }, users: [{ id: OWNER }] }],
      });
      await machine.clock.advance(60 * SECOND);
      const shown = [...sent(process).slice(1), ...sent(next)].map(
        (body) => Object(body).content as string,
      );
      // A run that may have begun does not begin again.
      expect(paid.length + (shown.includes(INTERRUPTED) ? 1 : 0)).toBeGreaterThan(0);
      expect(paid.length).toBeLessThanOrEqual(1);
      expect(new Set([...shown, INTERRUPTED, 'Paid ada.']).size).toBe(2);
      expect(shown.length).toBeGreaterThan(0);
    },
  );
});
