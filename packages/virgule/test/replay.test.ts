// A record of a run that waited for users replays their answers.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '@virgule/core/errors';
import type { FailedRecord } from '@virgule/runtime/bot';
import { expect, it, onTestFinished } from 'vitest';
import { createTestBot, type TestBot, type TestResult } from '../src/testing.js';
import { createTestProject } from './test-project.js';

const filesOf = (isFixed: boolean): Readonly<Record<string, string>> => ({
  'virgule.config.ts': `export default { failed: { text: 'keep' } };`,
  'commands/quiz.ts': `
    export default {
      description: 'Quiz', intents: ['SERVER_MESSAGES'],
      async run({ waitForMessage, reply, log }) {
        await reply('How many?');
        const answer = await waitForMessage({ from: 'anyone', within: '1m' });
        if (!answer) throw new Error('no answer');
        if (!${isFixed} && answer.content === 'zero') throw new RangeError('zero of 0');
        return 'ok';
      },
    };`,
  'commands/sure.ts': `
    export default {
      description: 'Sure', intents: ['MESSAGE_REACTIONS'],
      async run({ confirm }) {
        const isSure = await confirm('Sure?', { within: '1m' });
        if (!${isFixed} && isSure) throw new TypeError('was sure');
        return 'ok';
      },
    };`,
  'events/message-create.ts': `
    import { defineEvent } from 'virgule';
    export default defineEvent('MESSAGE_CREATE', ({ data, skipped }) => {
      const texts = [...skipped, data].map(({ content }) => content);
      if (!${isFixed} && texts.length === 3) throw new Error(texts.join(' '));
    }, { burst: '1s', when: ({ content }) => content.startsWith('part') });`,
  'commands/dump.ts': `
    export default {
      description: 'Dump',
      run: async ({ storage, services }) => {
        services.dump(await storage.list('virgule:failed:'));
        return 'ok';
      },
    };`,
});

async function projectOf(isFixed: boolean): Promise<string> {
  const project = await createTestProject(filesOf(isFixed));
  onTestFinished(() => project[Symbol.asyncDispose]());
  return project.root;
}

it.each<[string, string, (bot: TestBot) => Promise<TestResult | readonly TestResult[]>]>([
  ['/quiz', 'zero of 0', (bot) => bot.as('grace').say('zero')],
  ['/sure', 'was sure', (bot) => bot.as('grace').react('✅')],
  [
    '/dump',
    'part 1 part 2 part 3',
    async (bot) => {
      const said = ['part 1', 'part 2', 'part 3'].map((text) => bot.as('grace').say(text));
      await bot.clock.advance('5s');
      return Promise.all(said);
    },
  ],
])('replays the answers of users to %s, and a burst', async (line, message, answer) => {
  const root = await projectOf(false);
  let found: readonly { readonly value: FailedRecord }[] = [];
  await using bot = await createTestBot({
    root,
    strict: false,
    services: { dump: (list: typeof found) => void (found = list) },
  });
  const running = bot.run(line);
  await bot.idle();
  const answered = await answer(bot);
  const errors = [await running, answered].flat().map(({ error }) => errorText(error ?? ''));
  expect(errors.join()).toContain(message);
  await bot.idle();
  await bot.run('/dump');
  const file = join(root, 'record.json');
  await writeFile(file, JSON.stringify(found[0]?.value));
  const outcomes = [];
  for (const each of [root, await projectOf(true)]) {
    await using again = await createTestBot({ root: each, failed: file });
    const { error, result } = await again.replay();
    outcomes.push(error === undefined ? result : errorText(error));
  }
  expect(outcomes).toEqual([message, 'ok']);
});

const ID = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const message = (id: number, more: object = {}) => ({
  t: 'MESSAGE_CREATE',
  d: { id: ID(id), channelId: ID(1), serverId: ID(2), authorId: ID(3), content: 'x', ...more },
  atMs: id,
});

/** Replays a record for a handler of messages or a command. */
async function replayOf(file: string, code: string, parts: Partial<FailedRecord>): Promise<string> {
  const project = await createTestProject({ [file]: code });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const { root } = project;
  const failed = join(root, 'record.json');
  const record = { v: 1, id: '1', name: file, at: '', reason: '', text: 'keep', me: ID(9) };
  await writeFile(failed, JSON.stringify({ ...record, kind: 'event', ...parts }));
  await using bot = await createTestBot({ root, failed });
  const { error, result } = await bot.replay();
  return error === undefined ? result : errorText(error);
}

it.each([
  ['a reply', { replyTo: { messageId: ID(7), authorId: ID(8) } }],
  ['no content', { content: '' }],
  ['a name', { authorDisplayName: 'a name of 20 letters' }],
])('replays a message with %s, to which the bot replies', async (_, more) => {
  const code = `export default async ({ data, reply }) => {
    await reply('seen');
    const { replyTo, content, authorDisplayName = '' } = data;
    throw new Error(JSON.stringify([replyTo?.messageId, content, authorDisplayName.length]));
  };`;
  const { replyTo, content = 'x', authorDisplayName = '' } = message(5, more).d as never;
  const expected = [Object(replyTo).messageId, content, String(authorDisplayName).length];
  const parts = { frames: [message(5, more)] };
  expect(await replayOf('events/message-create.ts', code, parts)).toBe(JSON.stringify(expected));
});

it('replaces an id that is no UUID in no other string', async () => {
  const code = `export default ({ data }) => {
    throw new Error([data.content, data.channelId.length].join());
  };`;
  const frames = [message(5, { channelId: 'x', content: 'exact' })];
  expect(await replayOf('events/message-create.ts', code, { frames })).toBe('exact,36');
});

it('replays the messages of seven users', async () => {
  const code = `const users = new Set();
  export default ({ data }) => {
    users.add(data.authorId);
    if (data.content === 'last') throw new Error('users: ' + users.size);
  };`;
  const frames = [1, 2, 3, 4, 5, 6, 7].map((number) =>
    message(10 + number, { authorId: ID(20 + number), content: number === 7 ? 'last' : 'x' }),
  );
  expect(await replayOf('events/message-create.ts', code, { frames, frame: 6 })).toBe('users: 7');
});

it('replays an event after a command', async () => {
  await using project = await createTestProject({
    'commands/x.ts': `export default { description: 'x', run: () => 'ok' };`,
    'events/message-create.ts': `export default () => { throw new Error('event'); };`,
  });
  const { root } = project;
  const failed = join(root, 'record.json');
  const record = { v: 1, id: '1', kind: 'event', name: 'events/message-create.ts', at: '' };
  const frames = [message(5)];
  await writeFile(failed, JSON.stringify({ ...record, reason: '', text: 'keep', frames }));
  await using bot = await createTestBot({ root, failed });
  await bot.run('/x');
  expect(await bot.replay()).toMatchObject({ error: { message: 'event' }, result: 'failed' });
});

it('shows why the line of a command is refused', async () => {
  await using project = await createTestProject({
    'commands/pick.ts': `
      import * as z from 'zod';
      export default { description: 'Pick', options: z.object({ count: z.int() }), run: () => 'ok' };`,
  });
  const { root } = project;
  const failed = join(root, 'record.json');
  const frames = [{ t: 'APPLICATION_COMMAND', d: { rawInput: '/pick xxx' }, atMs: 0 }];
  const parts = { v: 1, id: '1', kind: 'command', name: '/pick', at: '', reason: '' };
  await writeFile(failed, JSON.stringify({ ...parts, frames }));
  await using bot = await createTestBot({ root, failed });
  const error = expect.stringContaining('count');
  expect(await bot.replay()).toEqual({ error, result: 'input' });
});

it.each([
  ['throws no Error', '!x 5', '5'],
  ['does not accept its line', '!x five', 'input'],
])('replays a command of a message that %s', async (_, content, expected) => {
  await using project = await createTestProject({
    'virgule.config.ts': `export default { messages: { prefix: '!' } };`,
    'commands/x.ts': `
      import * as z from 'zod';
      export default {
        description: 'x', messages: true, options: z.object({ count: z.int() }),
        run({ options }) { throw String(options.count); },
      };`,
  });
  const { root } = project;
  const failed = join(root, 'record.json');
  const record = { v: 1, id: '1', kind: 'command', name: '/x', at: '', reason: '', text: 'keep' };
  const author = { authorUsername: 'ada', authorDisplayName: 'Ada', authorAvatarUrl: null };
  const times = { createdAt: new Date(5).toISOString(), editedAt: null, pinnedAt: null };
  const rest = { forwardedFrom: null, isDeleted: false, attachments: [], reactions: [] };
  const frames = [message(5, { content, ...author, ...times, ...rest })];
  await writeFile(failed, JSON.stringify({ ...record, me: ID(9), frames }));
  await using bot = await createTestBot({ root, failed });
  const { error, result } = await bot.replay();
  expect(result === 'failed' ? error : result).toBe(expected);
});

const run = (line: string, atMs: number) => ({
  t: 'APPLICATION_COMMAND',
  d: { rawInput: line, channelId: ID(1), serverId: ID(2), userId: ID(3) },
  atMs,
});
const ofCommand = (code: string, parts: Partial<FailedRecord>): Promise<string> =>
  replayOf(
    'commands/x.ts',
    `import * as z from 'zod';
    export default {
      description: 'x', options: z.object({ who: z.string().optional() }),
      run: async ({ options: { who }, storage, clock, rest, channelId }) => { ${code} return 'ok'; },
    };`,
    { kind: 'command', frames: [run('/x me', 0)], ...parts },
  );

it.each([
  ['its own write', [run('/x me', 0)], 0, 'new'],
  ['the recorded value', [run('/x other', 0), run('/x me', 10)], 1, 'recorded'],
])('reads %s from the storage', async (_, frames, frame, expected) => {
  const code = `
    if (who === 'other') await storage.update('key', (from = '') => from + ', changed');
    else {
      if (${frames.length} === 1) await storage.set('key', 'new');
      throw new Error(await storage.get('key'));
    }`;
  const parts = { frames, frame, storage: [{ key: 'key', value: 'recorded' }] };
  expect(await ofCommand(code, parts)).toBe(expected);
});

it('lists all entries whose keys have the same shape', async () => {
  const storage = ['a', 'b', 'c'].map((value) => ({ key: 'word:xxx', value }));
  const code = `
    const found = await storage.list('word:');
    throw new Error(found.map(({ value }) => value).join());`;
  expect(await ofCommand(code, { text: 'shape', storage })).toBe('a,b,c');
});

it('returns the recorded results to the same calls', async () => {
  const error = { code: 'E_REST_FORBIDDEN', message: 'no', details: {} };
  const code = `
    const texts = await Promise.allSettled([
      rest.messages.get(channelId, 'one'), rest.messages.get(channelId, 'two'),
      rest.messages.send(channelId, { content: 'first' }), rest.messages.send(channelId, { content: 'second' }),
    ]);
    throw new Error(texts.map(({ value, reason }) => reason?.message ?? value.content).join());`;
  const rest = [
    { name: 'messages.send', index: 1, error },
    { name: 'messages.get', index: 1, value: { content: 'two' } },
    { name: 'messages.get', index: 0, value: { content: 'one' } },
  ];
  expect(await ofCommand(code, { rest })).toBe('one,two,first,no');
});

it('waits for handlers that work', async () => {
  const code = `
    const { scrypt } = await import('node:crypto');
    const work = () => new Promise((resolve) => scrypt('a', 'b', 64, { N: 2 ** 12, maxmem: 2 ** 27 }, resolve));
    await work();
    await clock.sleep('1s');
    await work();`;
  expect(await ofCommand(code, {})).toBe('ok');
});

it.each([
  ['no JSON', '{', 'JSON'],
  ['another version', '{"v":2}', 'v: this version of Virgule reads only records of version 1'],
  ['missing values', '{"v":1}', 'id: Invalid input'],
])('refuses a file with %s', async (_, text, reason) => {
  const root = await projectOf(true);
  const failed = join(root, 'record.json');
  await writeFile(failed, text);
  const create = async (file: string) => createTestBot({ root, failed: file });
  await expect(create(failed)).rejects.toThrow(`${failed} cannot be replayed: `);
  await expect(create(failed)).rejects.toThrow(reason);
  await expect(create(root)).rejects.toThrow(`${root} cannot be replayed: EISDIR`);
});

it('asks the storage and the simulator for values that the record does not contain', async () => {
  const project = await createTestProject({
    'commands/peek.ts': `
      export default {
        description: 'Peek',
        async run({ storage, rest, channelId }) {
          const seen = [await storage.get('big')];
          for (const _ of '12') seen.push((await rest.messages.list(channelId))?.hasMore);
          return JSON.stringify(seen);
        },
      };`,
  });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const failed = join(project.root, 'record.json');
  const record = {
    v: 1,
    id: '1',
    kind: 'command',
    name: '/peek',
    at: '',
    reason: '',
    frames: [
      { t: 'APPLICATION_COMMAND', d: { rawInput: '/peek', channelId: 'channel-7' }, atMs: 0 },
    ],
    storage: [{ key: 'big', dropped: true }],
    rest: [
      { name: 'messages.list', index: 0, dropped: true },
      { name: 'messages.list', index: 1, value: { hasMore: 'recorded' } },
    ],
  };
  await writeFile(failed, JSON.stringify(record));
  await using bot = await createTestBot({ root: project.root, failed });
  expect(await bot.replay()).toEqual({ error: undefined, result: 'ok' });
  expect(bot.platform.messages().at(-1)?.content).toBe('[null,false,"recorded"]');
});

it.each([
  ['messages.list', `JSON.stringify(await rest.messages.list(channelId))`],
  ['messages.list', `JSON.stringify(await Array.fromAsync(rest.messages.history(channelId)))`],
  ['messages.list', `JSON.stringify(await here.history({ limit: 5 }))`],
  ['request', '`${JSON.stringify(await rest.request("GET", `/channels/${channelId}/messages`))}`'],
  [undefined, '`${random() < 2 ? "boom" : ""}`'],
])('replays a failure that depends on %s, in %s, twice', async (name, read) => {
  const project = await createTestProject({
    'virgule.config.ts': `export default { failed: { text: 'keep' } };`,
    'commands/look.js': `
      Array.fromAsync ??= async (all) => { const list = []; for await (const one of all) list.push(one); return list; };
      export default {
        description: 'Look', intents: ['SERVER_MESSAGES'],
        async run({ rest, here, channelId, random, storage }) {
          if ((${read}).includes('boom')) throw new Error('found ' + random());
          return 'ok';
        },
      };`,
    'commands/dump.ts': filesOf(false)['commands/dump.ts'] ?? '',
  });
  onTestFinished(() => project[Symbol.asyncDispose]());
  let found: readonly { readonly value: FailedRecord }[] = [];
  const { root } = project;
  const services = { dump: (list: typeof found) => void (found = list) };
  await using bot = await createTestBot({ root, strict: false, services });
  await bot.as('grace').say('boom');
  const { error } = await bot.run('/look');
  await bot.idle();
  await bot.run('/dump');
  const [{ value } = { value: undefined }] = found;
  expect(value?.rest.map((call) => call.name)).toEqual(name ? [name] : []);
  const failed = join(root, 'record.json');
  await writeFile(failed, JSON.stringify(value));
  await using again = await createTestBot({ root, failed, services: { dump: () => {} } });
  for (const _ of 'ab')
    expect(errorText((await again.replay()).error ?? '')).toBe(errorText(error ?? ''));
});
