import { onAbort } from '@virgule/core/abort';
import { systemClock } from '@virgule/core/clock';
import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { BOT_USER, CHANNEL, SERVER } from '../../test/ids.js';
import { rateLimited, refused, unreachable } from '../../test/client-failures.js';
import { createFakeRest } from '../../test/fake-rest.js';
import { createTaskMachine, type TaskFiles, type TaskProcess } from '../../test/task-processes.js';
import type { SentMessage } from '../command/answer/answer.js';
import { defineCommand } from '../command/define/define-command.js';
import type { Awaited } from './task.js';
import { createMemoryDriver } from '../storage/memory-storage.js';
import type { StorageDriver } from '../storage/storage-driver.js';
import { defineTask, type TaskContext } from './define-task.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ADA = '00000000-0000-4000-8000-0000000000a1';
const GRACE = '00000000-0000-4000-8000-0000000000a2';

/** A question that the bot has sent. */
const questionOf = (n: number): SentMessage & { readonly buttons: string[] } => {
  const id = `00000000-0000-4000-8000-00000000c0${String(n).padStart(2, '0')}`;
  const buttons: string[] = [];
  return {
    buttons,
    id,
    message: async () => ({ id, channelId: CHANNEL }),
    react: async (emoji: string) => void buttons.push(emoji),
  } as unknown as SentMessage & { readonly buttons: string[] };
};

const reaction = (messageId: string | undefined, userId: string, unicodeEmoji: string) => ({
  serverId: SERVER,
  channelId: CHANNEL,
  messageId,
  userId,
  emoji: { kind: 'unicode', unicodeEmoji },
  count: 1,
});

const message = (authorId: string, content: string, createdAt = '2026-01-01T01:00:00.000Z') => ({
  id: `00000000-0000-4000-8000-${String(content.length).padStart(12, '0')}`,
  channelId: CHANNEL,
  authorId,
  authorUsername: 'x',
  authorDisplayName: 'x',
  authorAvatarUrl: null,
  replyTo: null,
  content,
  attachments: [],
  linkPreview: null,
  reactions: [],
  poll: null,
  forwardedFrom: null,
  editedAt: null,
  pinnedAt: null,
  pinnedByUserId: null,
  isDeleted: false,
  createdAt,
});

/** A machine whose task `ask` notes its answers. */
async function open(waits: Awaited, more: object = {}, latencyMs?: () => number) {
  const machine = await createTaskMachine(latencyMs ? { latencyMs } : { isPolled: false });
  const runs: { readonly payload: unknown; readonly answer: unknown }[] = [];
  const definition = defineTask({
    waits,
    payload: z.string(),
    run: ({ payload, answer }) => {
      runs.push({ payload, answer });
    },
    ...more,
  });
  const start = (): Promise<TaskProcess> => machine.start({ deploy: definition });
  return { machine, runs, start, process: await start(), definition };
}

describe('a question', () => {
  it.each([
    ['✅', true],
    ['❌', false],
  ])('is answered by %s, once, after a restart', async (emoji, yes) => {
    const { machine, runs, start, process } = await open('confirm');
    const question = questionOf(1);
    await process.task('deploy').ask(question, 'v2', { within: '3d', by: [ADA] });
    expect(question.buttons).toEqual(['✅', '❌']);
    process.kill();
    await machine.clock.advance(DAY);
    const next = await start();
    for (const [user, what] of [
      [GRACE, emoji],
      [BOT_USER, emoji],
      [ADA, '👍'],
      [ADA.toUpperCase(), emoji],
      [ADA, emoji],
      [ADA, '❌'],
    ] as const)
      next.emit('MESSAGE_REACTION_ADD', reaction(question.id, user, what));
    await machine.clock.advance(MINUTE);
    expect(runs).toEqual([{ payload: 'v2', answer: { yes, userId: ADA } }]);
    expect(await machine.entries()).toEqual([]);
    const removed = next.rest.lines.filter((line) => line.startsWith('reactions.remove'));
    expect(removed).toHaveLength(2);
    await machine.clock.advance(5 * DAY);
    expect(runs).toHaveLength(1);
  });

  it.each<[Awaited, object | null]>([
    ['confirm', { yes: false }],
    ['message', null],
    ['votes', { '🍕': [ADA], '🍚': [], '🍜': [] }],
  ])('that waits for %s runs at its deadline', async (waits, answer) => {
    const { machine, runs, process } = await open(waits);
    const choices = waits === 'votes' ? ['🍕', '🍚', '🍜'] : undefined;
    const question = questionOf(1);
    await process.task('deploy').ask(question, 'x', { within: '1h', choices });
    process.emit('MESSAGE_REACTION_ADD', reaction(question.id, ADA, '🍕'));
    process.emit('MESSAGE_REACTION_ADD', reaction(question.id, GRACE, '🍚'));
    await machine.clock.advance(MINUTE);
    process.emit('MESSAGE_REACTION_REMOVE', reaction(question.id, GRACE, '🍚'));
    await machine.clock.advance(58 * MINUTE);
    expect(runs).toEqual([]);
    await machine.clock.advance(MINUTE);
    expect(runs).toEqual([{ payload: 'x', answer }]);
    expect(await machine.entries()).toEqual([]);
  });

  it('counts the votes of users who vote and withdraw at the same time', async () => {
    const { machine, runs, process } = await open('votes', {}, () => 5);
    const question = questionOf(1);
    const asking = process
      .task('deploy')
      .ask(question, 'x', { within: '1h', choices: ['🍕', '🍚'] });
    await machine.clock.advance(SECOND);
    await asking;
    const users = Array.from({ length: 16 }, (_, n) => ADA.slice(0, -2) + String(n + 10));
    const emit = (event: string, by: readonly string[]): void => {
      for (const user of by) process.emit(event, reaction(question.id, user, '🍕'));
    };
    emit('MESSAGE_REACTION_ADD', users);
    await machine.clock.advance(MINUTE);
    emit('MESSAGE_REACTION_REMOVE', users.slice(4));
    await machine.clock.advance(HOUR);
    const [{ answer } = { answer: {} }] = runs as { answer: { '🍕'?: readonly string[] } }[];
    expect(answer['🍕']?.toSorted()).toEqual(users.slice(0, 4));
  });

  it('is answered by the next message of the channel', async () => {
    const { machine, runs, process } = await open('message');
    await process.task('deploy').ask(questionOf(1), 'x', { within: '1d', by: [ADA] });
    process.emit('MESSAGE_CREATE', message(GRACE, 'no'));
    process.emit('MESSAGE_CREATE', { ...message(ADA, 'elsewhere'), channelId: GRACE });
    process.emit('MESSAGE_CREATE', message(ADA, 'yes'));
    await machine.clock.advance(MINUTE);
    expect(runs).toMatchObject([{ answer: { content: 'yes', authorId: ADA } }]);
  });

  it('is answered while the storage takes no writes', async () => {
    const { machine, runs, process } = await open('confirm');
    const question = questionOf(1);
    await process.task('deploy').ask(question, 'x', { within: '1d' });
    machine.isFull = true;
    for (const emoji of ['👍', '✅', '❌', '✅'])
      process.emit('MESSAGE_REACTION_ADD', reaction(question.id, ADA, emoji));
    await machine.clock.advance(MINUTE);
    expect(runs).toEqual([]);
    const logged = process.log.at('error').filter((line) => line.includes('answer'));
    expect(logged).toEqual([
      'an answer to a question cannot be stored: The storage the disk failed: no space left',
    ]);
    machine.isFull = false;
    await machine.clock.advance(MINUTE);
    expect(runs).toMatchObject([{ answer: { yes: true } }]);
  });

  it('whose run is in progress cannot be withdrawn, and ends', async () => {
    const started: string[] = [];
    const { machine, process } = await open('confirm', {
      run: async ({ clock }: TaskContext) => {
        started.push('begun');
        await clock.sleep('10s');
        started.push('over');
      },
    });
    const question = questionOf(1);
    const { id } = await process.task('deploy').ask(question, 'x', { within: '1d' });
    process.emit('MESSAGE_REACTION_ADD', reaction(question.id, ADA, '✅'));
    await machine.clock.advance(SECOND);
    expect(await process.task('deploy').cancel(id)).toBe(false);
    await machine.clock.advance(DAY);
    expect(started).toEqual(['begun', 'over']);
  });

  it('can be listed and withdrawn', async () => {
    const { machine, runs, process } = await open('confirm');
    const { id, at } = await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
    expect(await process.task('deploy').list()).toEqual([{ id, at, payload: 'x' }]);
    expect(await process.task('deploy').cancel(id)).toBe(true);
    expect(await process.task('deploy').cancel(id)).toBe(false);
    expect(await process.task('deploy').list()).toEqual([]);
    await machine.clock.advance(DAY);
    expect([runs, await machine.entries()]).toEqual([[], []]);
  });

  it.each(['keeps its file', 'has lost its file'])(
    'that another process withdraws is withdrawn, while the bot %s',
    async (what) => {
      const { machine, runs, process, definition } = await open('confirm');
      const { id } = await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
      const isLost = what === 'has lost its file';
      if (isLost) process.kill();
      const other = await machine.start(isLost ? { other: definition } : { deploy: definition });
      expect(await other.cancel(id)).toBe(true);
      process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅'));
      await machine.clock.advance(MINUTE);
      const lines = [...process.rest.lines, ...other.rest.lines];
      const shown = lines.filter((line) => /^reactions\.(?:add|remove)/.test(line));
      expect(shown.map((line) => line.split(' ')[0])).toEqual(
        isLost ? [] : ['reactions.remove', 'reactions.remove', 'reactions.add'],
      );
      expect([runs, await machine.entries()]).toEqual([[], []]);
    },
  );

  it('is decided by the first of many answers, and stores no other while its file is gone', async () => {
    const { machine, runs, process, definition } = await open('confirm');
    await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
    await process.reload({ other: definition });
    for (const [index, emoji] of ['✅', '❌', '✅', '❌'].entries()) {
      process.emit(
        'MESSAGE_REACTION_ADD',
        reaction(questionOf(1).id, [ADA, GRACE][index % 2] ?? '', emoji),
      );
      await machine.clock.advance(SECOND);
    }
    // The question, its answer, and the run at its deadline.
    expect(await machine.entries()).toHaveLength(3);
    await process.reload({ deploy: definition });
    await machine.clock.advance(SECOND);
    expect(runs).toMatchObject([{ answer: { yes: true, userId: ADA } }]);
    await machine.clock.advance(HOUR);
    expect(await machine.entries()).toEqual([]);
  });

  it.each(
    (['restarts', 'restarts after the deadline', 'is connected again'] as const).flatMap((when) => [
      ['confirm', when, { yes: true, userId: ADA }] as const,
      ['message', when, { content: 'yes' }] as const,
      ['votes', when, { '✅': [ADA], '❌': [] }] as const,
    ]),
  )('that waits for %s is answered while the bot is away, and %s', async (waits, when, answer) => {
    const { machine, runs, process, definition } = await open(waits);
    const question = questionOf(1);
    const choices = waits === 'votes' ? ['✅', '❌'] : undefined;
    await process.task('deploy').ask(question, 'x', { within: '3d', by: [ADA], choices });
    if (waits === 'votes') process.emit('MESSAGE_REACTION_ADD', reaction(question.id, ADA, '❌'));
    await machine.clock.advance(MINUTE);
    const rest = when === 'is connected again' ? process.rest : createFakeRest();
    const users = (...ids: string[]) =>
      ids.map((id) => ({ id: id.toUpperCase(), username: 'x', displayName: 'x' }));
    rest.once('reactions.details', unreachable());
    rest.once('messages.history', unreachable());
    rest.always('reactions.details', {
      reactions: [
        { emoji: { kind: 'unicode', unicodeEmoji: '✅' }, users: users(BOT_USER, GRACE, ADA) },
        { emoji: { kind: 'unicode', unicodeEmoji: '❌' }, users: users(BOT_USER) },
      ],
    });
    rest.always('messages.history', [
      message(ADA, 'too late', '2026-01-09T00:00:00.000Z'),
      message(ADA, 'and more', '2026-01-01T03:00:00.000Z'),
      message(ADA, 'yes', '2026-01-01T02:00:00.000Z'),
      message(GRACE, 'no', '2026-01-01T01:30:00.000Z'),
      { ...message(BOT_USER, 'question'), id: question.id },
      message(ADA, 'before', '2026-01-01T00:00:00.000Z'),
    ]);
    if (when === 'is connected again') process.reconnect();
    else {
      process.kill();
      await machine.clock.advance(when === 'restarts' ? HOUR : 4 * DAY);
      await machine.start({ deploy: definition }, { rest: rest.rest });
    }
    await machine.clock.advance(MINUTE);
    expect(runs).toMatchObject(
      waits === 'votes' && when !== 'restarts after the deadline' ? [] : [{ answer }],
    );
    await machine.clock.advance(3 * DAY);
    expect(runs).toMatchObject([{ payload: 'x', answer }]);
    expect(await machine.entries()).toEqual([]);
  });

  it('is read once, although the bot is connected again and again', async () => {
    const { machine, process } = await open('confirm');
    for (let n = 1; n <= 20; n += 1)
      await process.task('deploy').ask(questionOf(n), 'x', { within: '3d' });
    let reads = 0;
    process.rest.always('reactions.details', async () => {
      reads += 1;
      await machine.clock.sleep(SECOND);
      return { reactions: [] };
    });
    for (let count = 0; count < 10; count += 1) {
      process.reconnect();
      await machine.clock.advance(2 * SECOND);
    }
    await machine.clock.advance(MINUTE);
    expect(reads).toBeLessThan(60);
  });

  it('is no warning if its message no longer exists', async () => {
    const { machine, process, definition } = await open('confirm');
    await process.task('deploy').ask(questionOf(1), 'x', { within: '3d' });
    process.kill();
    const rest = createFakeRest();
    rest.always('reactions.details', refused(404));
    const next = await machine.start({ deploy: definition }, { rest: rest.rest });
    await machine.clock.advance(MINUTE);
    expect(next.log.at('warn')).toEqual([]);
    expect(next.log.at('info')).toContain('the messages of 1 open question no longer exist');
  });

  it('is answered by a message before its deadline, also if the clock of the platform is ahead', async () => {
    const { machine, runs, process, definition } = await open('message');
    const question = questionOf(1);
    await process.task('deploy').ask(question, 'x', { within: '1h' });
    process.kill();
    const onPlatform = (ms: number): string =>
      new Date(machine.clock.now() + 2 * HOUR + ms).toISOString();
    const { rest, always } = createFakeRest();
    always('messages.history', [
      message(ADA, 'too late', onPlatform(HOUR + MINUTE)),
      message(ADA, 'yes', onPlatform(HOUR / 2)),
      { ...message(BOT_USER, 'question', onPlatform(0)), id: question.id },
    ]);
    await machine.clock.advance(2 * HOUR);
    await machine.start({ deploy: definition }, { rest });
    await machine.clock.advance(MINUTE);
    expect(runs).toMatchObject([{ answer: { content: 'yes' } }]);
  });

  it('is not answered by a command or a deleted message of the time away', async () => {
    const { machine, runs, process, definition } = await open('message');
    const question = questionOf(1);
    await process.task('deploy').ask(question, 'x', { within: '3d' });
    process.kill();
    await machine.clock.advance(HOUR);
    const { rest, always } = createFakeRest();
    always('messages.history', [
      message(ADA, 'yes'),
      message(ADA, '!help'),
      { ...message(ADA, 'deleted'), isDeleted: true },
      { ...message(BOT_USER, 'question'), id: question.id },
    ]);
    const help = defineCommand({ description: 'Help', messages: true, run: () => 'help' });
    await machine.start(
      { deploy: definition },
      { rest },
      { 'commands/help.ts': { default: help } },
    );
    await machine.clock.advance(MINUTE);
    expect(runs).toMatchObject([{ answer: { content: 'yes' } }]);
  });

  it('does not hold up a shutdown while its answers are being read', async () => {
    const { machine, process, definition, runs } = await open('confirm');
    for (const [n, within] of ['1h', '3d'].entries())
      await process.task('deploy').ask(questionOf(n), 'x', { within: within as '1h' });
    process.kill();
    await machine.clock.advance(DAY);
    const rest = createFakeRest();
    // A call that ends when it is aborted.
    const hang = (...args: unknown[]) =>
      new Promise((_, reject) => {
        const { signal } = args.at(-1) as { readonly signal: AbortSignal };
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    rest.always('reactions.details', hang);
    const next = await machine.start({ deploy: definition }, { rest: rest.rest });
    await machine.clock.advance(SECOND);
    let isClosed = false;
    void next.bot.close().then(() => (isClosed = true));
    await machine.clock.advance(SECOND);
    expect([isClosed, runs]).toEqual([true, []]);
    await machine.start({ deploy: definition });
    await machine.clock.advance(MINUTE);
    expect(runs).toEqual([{ payload: 'x', answer: { yes: false } }]);
  });

  it('replies with what its handler returns, and with an error if that fails for good', async () => {
    let fails = false;
    const { machine, process } = await open('confirm', {
      retries: 0,
      run: () => {
        if (fails) throw new Error('no luck');
        return 'Deployed.';
      },
    });
    for (const n of [1, 2]) {
      const question = questionOf(n);
      await process.task('deploy').ask(question, 'x', { within: '1h' });
      process.emit('MESSAGE_REACTION_ADD', reaction(question.id, ADA, '✅'));
      await machine.clock.advance(MINUTE);
      fails = true;
    }
    const sent = process.rest.calls.filter(({ endpoint }) => endpoint === 'messages.send');
    expect(sent.map(({ args: [, body] }) => body)).toMatchObject([
      { content: 'Deployed.', replyToMessageId: questionOf(1).id },
      { content: 'Something went wrong.', replyToMessageId: questionOf(2).id },
    ]);
  });

  describe.each<[Awaited, string, object]>([
    ['confirm', 'MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅')],
    ['message', 'MESSAGE_CREATE', message(ADA, 'yes')],
    ['votes', 'MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '🍕')],
  ])('that waits for %s', (waits, event, answer) => {
    const choices = waits === 'votes' ? ['🍕', '🍚'] : undefined;

    it.each([
      ['no luck', 'Something went wrong.'],
      [undefined, 'Deployed.'],
    ])('has its outcome after its message was deleted: %s', async (fault, content) => {
      let runs = 0;
      const { machine, process } = await open(waits, {
        retries: 0,
        run: () => {
          runs += 1;
          if (fault) throw new Error(fault);
          return 'Deployed.';
        },
      });
      await process.task('deploy').ask(questionOf(1), 'x', { within: '1h', choices });
      process.rest.always('messages.send', (_: string, body: { replyToMessageId?: string }) =>
        body.replyToMessageId === undefined ? undefined : refused(400, 'invalid_body'),
      );
      process.emit(event, answer);
      await machine.clock.advance(2 * HOUR);
      const sent = process.rest.calls.filter(({ endpoint }) => endpoint === 'messages.send');
      expect(sent.map(({ args: [, body] }) => body)).toEqual([
        expect.objectContaining({ content, replyToMessageId: questionOf(1).id }),
        { content },
      ]);
      expect(runs).toBe(1);
      expect(process.log.at('error')).toHaveLength(fault ? 1 : 0);
    });

    it('runs once if the platform refuses the returned text', async () => {
      let runs = 0;
      const { machine, process } = await open(waits, {
        run: () => {
          runs += 1;
          return 'Deployed.';
        },
      });
      await process.task('deploy').ask(questionOf(1), 'x', { within: '1h', choices });
      process.rest.always('messages.send', refused(403, 'missing_permission'));
      process.emit(event, answer);
      await machine.clock.advance(DAY);
      expect([runs, await machine.entries()]).toEqual([1, []]);
      expect(process.log.at('error')).toEqual([]);
      expect(process.log.at('warn')).toEqual([
        expect.stringMatching(/^the reply of tasks\/deploy.ts was not sent: /),
      ]);
    });
  });

  it('whose buttons are refused is asked once by a task', async () => {
    let asked = 0;
    const react = () => Promise.reject(refused(403, 'missing_permission'));
    const question = { ...questionOf(1), react } as unknown as SentMessage;
    const { machine, definition } = await open('confirm');
    const ask = () => process.task('deploy').ask(question, 'x', { within: '1h' });
    const remind = defineTask({
      async run() {
        asked += 1;
        await ask();
      },
    });
    const process: TaskProcess = await machine.start({ deploy: definition, remind });
    await process.task('remind').in('1s');
    await machine.clock.advance(3 * DAY);
    expect(asked).toBe(1);
    expect(await machine.storage.list('tasks:failed:')).toHaveLength(1);
  });

  it.each<[Awaited, object]>([
    ['confirm', { yes: true, userId: ADA }],
    ['message', { content: 'yes' }],
  ])('that waits for %s reads its answer when it is retried', async (waits, answer) => {
    const { machine, runs, process } = await open(waits);
    const { always } = process.rest;
    const question = questionOf(1);
    await process.task('deploy').ask(question, 'x', { within: '1h', by: [ADA] });
    always('users.me', unreachable);
    always('reactions.details', unreachable());
    always('messages.history', unreachable());
    await machine.clock.advance(2 * DAY);
    const [failed] = await machine.storage.list('tasks:failed:');
    expect(runs).toEqual([]);
    const { emoji } = reaction(question.id, ADA, '✅');
    always('reactions.details', { reactions: [{ emoji, users: [{ id: GRACE }, { id: ADA }] }] });
    always('messages.history', [
      message(ADA, 'too late', '2026-01-01T03:00:00.000Z'),
      message(ADA, 'yes', '2026-01-01T00:40:00.000Z'),
      message(GRACE, 'no', '2026-01-01T00:30:00.000Z'),
      { ...message(BOT_USER, 'question'), id: question.id },
    ]);
    await process.retry(failed?.key.slice('tasks:failed:'.length) ?? '');
    await machine.clock.advance(MINUTE);
    expect(runs).toMatchObject([{ payload: 'x', answer }]);
    expect(await machine.entries()).toEqual([]);
  });

  it('replies when the platform is back after hours', async () => {
    const { machine, process } = await open('confirm', { timeout: '5m', run: () => 'Done.' });
    await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
    process.rest.always('messages.send', refused(503));
    process.rest.always('messages.history', refused(503));
    process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅'));
    await machine.clock.advance(5 * HOUR);
    process.rest.always('messages.send', message(BOT_USER, 'Done.'));
    process.rest.always('messages.history', []);
    await machine.clock.advance(10 * MINUTE);
    expect(process.rest.lines).toContain('messages.send Done.');
    expect(process.rest.lines.at(-1)).toBe('reactions.remove');
    expect(process.log.at('error')).toEqual([]);
  });

  const replied = { replyTo: { messageId: questionOf(1).id } };
  const ofUser = { authorId: ADA };
  const inCapitals = { replyTo: { message: { id: questionOf(1).id?.toUpperCase() } } };
  it.each<[string, unknown, number]>([
    ['shows it', replied, 0],
    ['shows it after an entry that is no message', [null, replied], 0],
    ['shows it in another form', { ...inCapitals, content: 'De\u0301ja\u0300.' }, 0],
    ['shows a reply to another question', { replyTo: { messageId: questionOf(2).id } }, 1],
    ['shows another reply', { ...replied, content: 'Really?' }, 1],
    ['shows the reply of a user', { ...replied, ...ofUser }, 1],
    ['shows an earlier reply', { ...replied, createdAt: '2025-12-31T23:00:00.000Z' }, 1],
    ['shows no references', { replyTo: null }, 1],
    ['shows no texts', { ...replied, content: undefined }, 1],
    ['lists no messages', null, 1],
    ['cannot be read', undefined, 1],
  ])(
    'whose process was killed while it replied is replied to once if the channel %s',
    async (_, shown, replies) => {
      const { machine, process, start } = await open('confirm', { run: () => ' Déjà. ' });
      await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
      process.rest.always('messages.send', () => new Promise(() => {}));
      process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅'));
      await machine.clock.advance(SECOND);
      // The sending itself reads the channel once.
      expect(process.rest.lines.filter((line) => line === 'messages.list')).toHaveLength(1);
      process.kill();
      const next = await start();
      const listed = [message(ADA, 'hi'), ...[shown].flat()].map(
        (each) => each && { ...message(BOT_USER, ' Déjà. '), ...each },
      );
      const page = { messages: shown && listed, hasMore: false, oldestId: null };
      next.rest.always('messages.list', shown === undefined ? refused(403) : page);
      await machine.clock.advance(MINUTE);
      const callsOf = (name: string) => next.rest.calls.filter(({ endpoint }) => endpoint === name);
      expect(callsOf('messages.send')).toHaveLength(replies);
      // A channel that cannot be read must not hold up a reply or the end of the bot.
      const [reading, ...others] = callsOf('messages.list');
      // The sending reads the channel once.
      expect(others).toHaveLength(replies);
      expect(reading?.args[2]).toMatchObject({
        deadlineMs: 3_000,
        signal: expect.any(AbortSignal),
      });
      expect(await machine.entries()).toEqual([]);
    },
  );

  it('is replied to once although the bot is stopped while it searches for the reply', async () => {
    const { machine, process, start } = await open('confirm', { run: () => 'Done.' });
    await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
    process.rest.always('messages.send', () => new Promise(() => {}));
    process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅'));
    await machine.clock.advance(SECOND);
    process.kill();
    const next = await start();
    const untilAbort = (_channel: unknown, _query: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => onAbort(signal, reject));
    next.rest.always('messages.list', untilAbort);
    await machine.clock.advance(MINUTE);
    const closed = next.bot.close();
    await machine.clock.advance(MINUTE);
    await closed;
    const last = await start();
    const messages = [{ ...message(BOT_USER, 'Done.'), ...replied }];
    last.rest.always('messages.list', { messages, hasMore: false, oldestId: null });
    await machine.clock.advance(HOUR);
    const sent = [next, last].flatMap(({ rest }) => rest.lines);
    expect(sent.filter((line) => line.startsWith('messages.send'))).toEqual([]);
    expect(await machine.entries()).toEqual([]);
  });

  it.each(['a rate limit', 'a version that stored less'])(
    'replies after %s although its message has the same reply to another question',
    async (cause) => {
      const { machine, process, start } = await open('confirm', { run: () => 'Done.' });
      await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
      const limited = cause === 'a rate limit';
      process.rest.always('messages.send', limited ? rateLimited() : () => new Promise(() => {}));
      const messages = [{ ...message(BOT_USER, 'Done.'), ...replied }];
      const page = { messages, hasMore: false, oldestId: null };
      process.rest.always('messages.list', page);
      process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅'));
      await machine.clock.advance(SECOND);
      let now = process;
      if (!limited) {
        process.kill();
        for (const { key, value } of await machine.storage.list('tasks:run:')) {
          const { hasReplied: _, ...entry } = Object(value);
          await machine.storage.set(key, entry);
        }
        now = await start();
        now.rest.always('messages.list', page);
      }
      const isSent = (line: string): boolean => line === 'messages.send Done.';
      const earlier = limited ? now.rest.lines.filter(isSent).length : 0;
      now.rest.always('messages.send', message(BOT_USER, 'Done.'));
      await machine.clock.advance(HOUR);
      expect(now.rest.lines.filter(isSent)).toHaveLength(earlier + 1);
      expect(await machine.entries()).toEqual([]);
    },
  );

  it.each(['first', 'second'])(
    'whose process was killed during the %s of two equal texts has both',
    async (which) => {
      const text = '='.repeat(4_000);
      const run = () => ({ content: text, split: true });
      const { machine, process, start } = await open('confirm', { run });
      await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
      const first = { ...message(BOT_USER, '='.repeat(2_000)), ...replied };
      let sent = 0;
      process.rest.always('messages.send', () => {
        sent += 1;
        return which === 'first' || sent === 2 ? new Promise(() => {}) : first;
      });
      process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅'));
      await machine.clock.advance(SECOND);
      process.kill();
      const next = await start();
      next.rest.always('messages.list', { messages: [first], hasMore: false, oldestId: null });
      await machine.clock.advance(HOUR);
      const others = next.rest.calls.filter(({ endpoint }) => endpoint === 'messages.send');
      expect(others.map(({ args: [, body] }) => Object(body).replyToMessageId)).toEqual([
        undefined,
      ]);
      expect(await machine.entries()).toEqual([]);
    },
  );

  it('keeps its failed run for the kind of answer that it had', async () => {
    const { machine, runs, process, definition } = await open('confirm', {
      retries: 0,
      run: () => Promise.reject(new Error('no luck')),
    });
    await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
    process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅'));
    await machine.clock.advance(MINUTE);
    const [failed] = await machine.storage.list('tasks:failed:');
    const run = ({ answer }: { answer: unknown }) => void runs.push({ payload: '', answer });
    await process.reload({ deploy: defineTask({ waits: 'votes', payload: z.string(), run }) });
    await process.retry(failed?.key.slice('tasks:failed:'.length) ?? '');
    await machine.clock.advance(MINUTE);
    expect(runs).toEqual([]);
    await process.reload({ deploy: { ...definition, run } });
    await machine.clock.advance(MINUTE);
    expect(runs).toEqual([{ payload: '', answer: { yes: true, userId: ADA } }]);
  });

  it.each<[Awaited, object | null]>([
    ['confirm', { yes: false }],
    ['message', null],
    ['votes', { '🍕': [ADA], '🍚': [] }],
  ])(
    'that waits for %s ends minutes after its deadline if its answers cannot be read',
    async (waits, answer) => {
      const { machine, runs, process } = await open(waits);
      const choices = waits === 'votes' ? ['🍕', '🍚'] : undefined;
      await process.task('deploy').ask(questionOf(1), 'x', { within: '1h', choices });
      process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '🍕'));
      process.rest.always('reactions.details', refused(503));
      process.rest.always('messages.history', refused(503));
      await machine.clock.advance(HOUR + 2 * MINUTE);
      expect(runs).toEqual([]);
      await machine.clock.advance(MINUTE);
      expect(runs).toEqual([{ payload: 'x', answer }]);
      expect(process.log.at('error')).toEqual([]);
      expect(await machine.entries()).toEqual([]);
    },
  );

  it('is read when the platform is back hours after the deadline', async () => {
    const { machine, runs, process } = await open('confirm');
    await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
    const { once, always } = process.rest;
    always('users.me', unreachable);
    always('reactions.details', unreachable());
    await machine.clock.advance(5 * HOUR);
    always('users.me', { id: BOT_USER });
    const { emoji } = reaction(questionOf(1).id, ADA, '✅');
    always('reactions.details', { reactions: [{ emoji, users: [{ id: ADA }] }] });
    once('reactions.details', refused(503));
    await machine.clock.advance(10 * MINUTE);
    expect(runs).toEqual([{ payload: 'x', answer: { yes: true, userId: ADA } }]);
  });

  it('keeps its votes and choices when its run is interrupted and retried', async () => {
    const { machine, runs, process, start } = await open('votes');
    const choices = ['🍕', '🍚'];
    await process.task('deploy').ask(questionOf(1), 'x', { within: '1h', choices });
    process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '🍕'));
    await machine.clock.advance(MINUTE);
    process.kill();
    // The process has ended three times while the run was in progress.
    const [run] = await machine.storage.list('tasks:run:');
    await machine.storage.set(run?.key ?? '', { begun: 3 });
    const next = await start();
    await machine.clock.advance(HOUR);
    const [failed] = await machine.storage.list('tasks:failed:');
    await next.retry(failed?.key.slice('tasks:failed:'.length) ?? '');
    await machine.clock.advance(MINUTE);
    expect(runs).toEqual([{ payload: 'x', answer: { '🍕': [ADA], '🍚': [] } }]);
  });

  it.each(['open', 'in progress'])(
    'that is %s on the message of a failed one is kept when that is retried',
    async (state) => {
      const answers: unknown[] = [];
      const { machine, process } = await open('confirm', {
        retries: 0,
        run: async ({ payload, clock }: TaskContext) => {
          if (answers.push(payload) === 1) throw new Error('no luck');
          await clock.sleep('1m');
        },
      });
      const question = questionOf(1);
      const press = reaction(question.id, ADA, '✅');
      await process.task('deploy').ask(question, 'first', { within: '1h' });
      process.emit('MESSAGE_REACTION_ADD', press);
      await machine.clock.advance(SECOND);
      const [failed] = await machine.storage.list('tasks:failed:');
      const id = failed?.key.slice('tasks:failed:'.length) ?? '';
      await process.task('deploy').ask(question, 'second', { within: '1h' });
      if (state === 'in progress') process.emit('MESSAGE_REACTION_ADD', press);
      await machine.clock.advance(SECOND);
      await process.retry(id);
      await machine.clock.advance(2 * MINUTE);
      if (state === 'open') process.emit('MESSAGE_REACTION_ADD', press);
      await machine.clock.advance(2 * MINUTE);
      const [retried, second] = ['first', 'second'];
      const later = state === 'open' ? [retried, second] : [second, retried];
      expect(answers).toEqual(['first', ...later]);
      expect(await machine.entries()).toEqual([]);
    },
  );

  it.each([refused(503), rateLimited(), unreachable()])(
    'gets its buttons later if the platform cannot take them: %s',
    async (failure) => {
      const { machine, runs, process } = await open('confirm');
      const question = { ...questionOf(1), react: () => Promise.reject(failure) };
      process.rest.always('reactions.add', failure);
      await process.task('deploy').ask(question, 'x', { within: '1h' });
      await machine.clock.advance(10 * MINUTE);
      process.rest.always('reactions.add', undefined);
      const before = process.rest.lines.length;
      await machine.clock.advance(5 * MINUTE);
      const added = process.rest.lines.slice(before).filter((line) => line.includes('.add'));
      expect(added).toHaveLength(2);
      process.emit('MESSAGE_REACTION_ADD', reaction(question.id, ADA, '✅'));
      await machine.clock.advance(SECOND);
      expect(runs).toEqual([{ payload: 'x', answer: { yes: true, userId: ADA } }]);
    },
  );

  it('stays open if only the note fails that its buttons are shown', async () => {
    const driver = createMemoryDriver(() => 0);
    const swap: StorageDriver['swap'] = (key, from, to, ...more) =>
      key.startsWith('tasks:ask:') && from !== undefined && String(to).includes('"waits"')
        ? Promise.reject(new Error('no luck'))
        : driver.swap(key, from, to, ...more);
    const machine = await createTaskMachine({ driver: { ...driver, swap } });
    const deploy = defineTask({ waits: 'confirm', payload: z.string(), run: () => {} });
    const process = await machine.start({ deploy });
    await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
    expect(await process.task('deploy').list()).toMatchObject([{ payload: 'x' }]);
  });

  it('is answered by a message that arrives before it is stored', async () => {
    const { machine, runs, process } = await open('message');
    const { id } = questionOf(1);
    process.rest.always('messages.history', [
      message(ADA, 'yes', '2025-12-31T23:59:59.000Z'),
      { ...message(BOT_USER, '?', '2025-12-31T23:59:58.000Z'), id },
    ]);
    await process.task('deploy').ask(questionOf(1), 'v2', { within: '1d' });
    await machine.clock.advance(SECOND);
    expect(runs).toMatchObject([{ payload: 'v2', answer: { content: 'yes' } }]);
  });

  it.each([
    ['by its first id', 'confirm', 'ask'],
    ['by the listed id', 'confirm', 'run'],
    ['while its file waits for another answer', 'votes', 'run'],
  ] as const)('is canceled between two tries of its run, %s', async (_, waits, by) => {
    const run = (): never => {
      throw new Error('no');
    };
    const { machine, process, definition } = await open('confirm', { run, backoff: '1h' });
    const { id } = await process.task('deploy').ask(questionOf(1), 'v2', { within: '3d' });
    process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅'));
    await machine.clock.advance(MINUTE);
    const [listed] = await process.task('deploy').list();
    expect(listed?.at.getTime()).toBeGreaterThan(machine.clock.now() + 50 * MINUTE);
    await process.reload({ deploy: defineTask({ ...definition, waits } as never) });
    expect(await process.cancel(by === 'ask' ? id : (listed?.id ?? ''))).toBe(true);
    expect(await machine.entries()).toEqual([]);
  });

  it('is not canceled by the id of an earlier question of its message', async () => {
    const { machine, process } = await open('confirm');
    const deploy = process.task('deploy');
    const { id } = await deploy.ask(questionOf(1), 'first', { within: '1h' });
    process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅'));
    await machine.clock.advance(MINUTE);
    await deploy.ask(questionOf(1), 'second', { within: '2h' });
    expect(await deploy.cancel(id)).toBe(false);
    expect(await deploy.list()).toMatchObject([{ payload: 'second' }]);
  });

  it('is withdrawn if its buttons cannot be shown', async () => {
    const { machine, process } = await open('confirm');
    const refused = new Error('refused');
    const question = { ...questionOf(1), react: () => Promise.reject(refused) };
    const asking = process.task('deploy').ask(question, 'x', { within: '1h' });
    await expect(asking).rejects.toBe(refused);
    await machine.clock.advance(SECOND);
    expect(await machine.entries()).toEqual([]);
  });

  it('keeps a payload that no longer fits, for a later version', async () => {
    const { machine, process } = await open('confirm', { retries: 0 });
    const question = questionOf(1);
    await process.task('deploy').ask(question, 'old', { within: '1h' });
    const changed = { waits: 'confirm' as const, payload: z.object({ version: z.string() }) };
    const runs: unknown[] = [];
    const run = (context: { payload: unknown; answer: unknown }): void =>
      void runs.push([context.payload, context.answer]);
    await process.reload({ deploy: defineTask({ ...changed, run }) });
    process.emit('MESSAGE_REACTION_ADD', reaction(question.id, ADA, '✅'));
    await machine.clock.advance(10 * DAY);
    const [failed] = await machine.storage.list('tasks:failed:');
    expect([runs, failed?.value]).toMatchObject([[], { payload: 'old', answer: { yes: true } }]);
    const upgrade = (old: unknown) => ({ version: String(old) });
    await process.reload({ deploy: defineTask({ ...changed, upgrade, run }) });
    await process.retry(failed?.key.slice('tasks:failed:'.length) ?? '');
    await machine.clock.advance(MINUTE);
    expect(runs).toEqual([[{ version: 'old' }, { yes: true, userId: ADA }]]);
    expect(await machine.entries()).toEqual([]);
  });

  it('is refused while its message has another question, which stays', async () => {
    const { machine, runs, process } = await open('confirm');
    await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
    for (const within of ['1h', '2h'] as const)
      await expect(
        process.task('deploy').ask(questionOf(1), 'y', { within }),
      ).rejects.toMatchObject({
        code: 'E_TASK_CALL',
        message: `The message ${questionOf(1).id} has a question already, which is open or is being answered.`,
      });
    expect(await process.task('deploy').list()).toMatchObject([{ payload: 'x' }]);
    await machine.clock.advance(DAY);
    expect(runs).toEqual([{ payload: 'x', answer: { yes: false } }]);
    expect(await machine.entries()).toEqual([]);
  });

  it('is not decided by the run of another one, whose process was killed before that was stored', async () => {
    const { machine, runs, process } = await open('confirm');
    const { id } = await process.task('deploy').ask(questionOf(1), 'x', { within: '2h' });
    const [task, due = '', place] = id.split(':');
    const early = String(Number(due) - HOUR).padStart(due.length, '0');
    await machine.storage.set(`tasks:run:${task}:${early}:${place}`, {});
    await machine.clock.advance(HOUR + MINUTE);
    expect(runs).toEqual([]);
    process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅'));
    await machine.clock.advance(MINUTE);
    expect(runs).toEqual([{ payload: 'x', answer: { yes: true, userId: ADA } }]);
    expect(await machine.entries()).toEqual([]);
  });

  it('that is retried runs again, also if a process reads the runs between two writes', async () => {
    const driver = createMemoryDriver(() => 0);
    let onRun = async (): Promise<void> => {};
    const set: StorageDriver['set'] = async (key, ...entry) => {
      await driver.set(key, ...entry);
      if (key.startsWith('tasks:run:')) await onRun();
    };
    const machine = await createTaskMachine({ driver: { ...driver, set } });
    const answers: unknown[] = [];
    const run = ({ answer }: { readonly answer: unknown }): void => {
      if (answers.push(answer) === 1) throw new Error('no luck');
    };
    const deploy = defineTask({ waits: 'confirm', retries: 0, run });
    const process = await machine.start({ deploy });
    await process.task('deploy').ask(questionOf(1), undefined, { within: '1h' });
    process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅'));
    await machine.clock.advance(MINUTE);
    const [failed] = await machine.storage.list('tasks:failed:');
    onRun = async () => {
      onRun = async () => {};
      process.clockWasSet(false);
      await systemClock.sleep(20);
    };
    await process.retry(failed?.key.slice('tasks:failed:'.length) ?? '');
    await machine.clock.advance(MINUTE);
    expect(answers).toEqual([0, 1].map(() => ({ yes: true, userId: ADA })));
    expect(await machine.entries()).toEqual([]);
  });

  it.each<[string, Awaited, object]>([
    ['no time', 'confirm', {}],
    ['no options', 'confirm', undefined as never],
    ['null as its options', 'confirm', null as never],
    ['a misspelled option', 'confirm', { within: '1h', By: [ADA] }],
    ['an author, who is unknown', 'confirm', { within: '1h', by: 'author' }],
    ['a user that is no id', 'confirm', { within: '1h', by: 7 }],
    ['everyone, who is no user', 'confirm', { within: '1h', by: 'everyone' }],
    ['ids that are no list', 'confirm', { within: '1h', by: `${ADA},${GRACE}` }],
    ['a time of more than a year', 'confirm', { within: '366d' }],
    ['choices without votes', 'confirm', { within: '1h', choices: ['🍕', '🍚'] }],
    ['votes without choices', 'votes', { within: '1h' }],
    ['one choice', 'votes', { within: '1h', choices: ['🍕'] }],
    ['one choice twice', 'votes', { within: '1h', choices: ['🍕', '🍕'] }],
    ['two forms of one choice', 'votes', { within: '1h', choices: ['❤\ufe0f', '❤'] }],
  ])('is refused with %s', async (_, waits, options) => {
    const { machine, process } = await open(waits);
    const asking = process.task('deploy').ask(questionOf(1), 'x', options as { within: '1h' });
    await expect(asking).rejects.toMatchObject({ code: 'E_TASK_CALL' });
    await expect(process.task('deploy').in('1h', 'x')).rejects.toMatchObject({
      code: 'E_TASK_CALL',
      details: { kind: 'waits' },
    });
    expect(await machine.entries()).toEqual([]);
  });

  it.each<[Awaited, number]>([
    ['confirm', 0],
    ['message', 1],
  ])('that waits for %s costs a message %i reads of the storage', async (waits, reads) => {
    let uses = 0;
    const { machine, process } = await open(waits, {}, () => {
      uses += 1;
      return 0;
    });
    await machine.clock.advance(SECOND);
    const before = uses;
    process.emit('MESSAGE_CREATE', message(ADA, 'hi'));
    await machine.clock.advance(SECOND);
    expect(uses - before).toBe(reads);
  });

  it('costs no timer and no memory while it is open', async () => {
    const { machine, runs, process } = await open('confirm');
    for (let n = 1; n <= 99; n += 1)
      await process.task('deploy').ask(questionOf(n), 'x', { within: '1d' });
    expect(machine.clock.pending).toBeLessThan(10);
    process.emit('MESSAGE_REACTION_ADD', reaction(questionOf(50).id, ADA, '✅'));
    await machine.clock.advance(MINUTE);
    expect(runs).toHaveLength(1);
  });
});

describe('a question whose file changes', () => {
  it('is kept while the file is gone, and answered when the file is back', async () => {
    const { machine, runs, process, definition } = await open('confirm');
    const question = questionOf(1);
    await process.task('deploy').ask(question, 'x', { within: '1h' });
    await process.reload({ other: defineTask({ run: () => {} }) });
    const press = reaction(question.id, ADA, '✅');
    process.emit('MESSAGE_REACTION_ADD', press);
    await machine.clock.advance(2 * HOUR);
    expect(runs).toEqual([]);
    const rest = createFakeRest();
    rest.always('reactions.details', { reactions: [{ emoji: press.emoji, users: [{ id: ADA }] }] });
    await machine.start({ deploy: definition }, { rest: rest.rest });
    await machine.clock.advance(MINUTE);
    expect(runs).toHaveLength(1);
  });

  it.each<[Awaited, string, object]>([
    ['confirm', 'MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅')],
    ['message', 'MESSAGE_CREATE', message(ADA, 'yes')],
  ])('is answered by %s in a process of a queue that has no such file', async (waits, event, d) => {
    const { machine, runs, process } = await open(waits);
    await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
    const old = await machine.start({ other: defineTask({ run: () => {} }) });
    old.emit(event, d, { to: 'handlers', isDeferred: false, ended: () => {} } as never);
    await machine.clock.advance(MINUTE);
    expect(runs).toMatchObject([{ answer: { ...(waits === 'message' && { content: 'yes' }) } }]);
  });

  it('is answered at its deadline if a process of a queue without any task received its answer', async () => {
    const { machine, runs, process } = await open('confirm');
    await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
    const press = reaction(questionOf(1).id, ADA, '✅');
    process.rest.always('reactions.details', {
      reactions: [{ emoji: press.emoji, users: [{ id: BOT_USER }, { id: ADA }] }],
    });
    const old = await machine.start({});
    old.emit('MESSAGE_REACTION_ADD', press, {
      to: 'handlers',
      isDeferred: false,
      ended: () => {},
    } as never);
    await machine.clock.advance(HOUR);
    expect(runs).toEqual([{ payload: 'x', answer: { yes: true, userId: ADA } }]);
  });

  it('gets its buttons if the file waits for reactions since', async () => {
    const { machine, runs, process } = await open('message');
    await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
    process.kill();
    const run = ({ answer }: { readonly answer: { readonly yes: boolean } }): void =>
      void runs.push({ payload: undefined, answer });
    const next = await machine.start({
      deploy: defineTask({ waits: 'confirm', payload: z.string(), run }),
    });
    await machine.clock.advance(SECOND);
    expect(next.rest.lines.filter((line) => line.startsWith('reactions.add'))).toHaveLength(2);
    next.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '✅'));
    await machine.clock.advance(SECOND);
    expect(runs).toMatchObject([{ answer: { yes: true } }]);
  });

  it.each([
    ['no answer', 'keeps another question'],
    ['no answer', 'is the only one'],
    ['votes', 'is the only one'],
  ] as const)(
    'keeps its answer while the file waits for %s, and the task %s',
    async (waits, more) => {
      const { machine, runs, process, definition } = await open('confirm');
      const other: TaskFiles = more === 'is the only one' ? {} : { other: definition };
      const changed: unknown[] = [];
      const settings = {
        payload: z.string(),
        run: (context: { payload: unknown }) => void changed.push(context.payload),
      };
      await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
      const press = (to: TaskProcess) =>
        to.emit('MESSAGE_REACTION_ADD', reaction(questionOf(1).id, ADA, '❌'));
      if (waits === 'votes') {
        await process.reload({ other: definition });
        press(process);
        await machine.clock.advance(SECOND);
      }
      const deploy = waits === 'votes' ? defineTask({ ...settings, waits }) : defineTask(settings);
      await process.reload({ deploy, ...other });
      if (waits !== 'votes') press(process);
      await machine.clock.advance(DAY);
      expect([changed, runs]).toEqual([[], []]);
      expect(process.log.at('warn').filter((line) => line.includes('`waits`'))).toHaveLength(1);
      await process.reload({ deploy: definition });
      await machine.clock.advance(MINUTE);
      const isRead = waits === 'votes' || more !== 'is the only one';
      const answer = { yes: false, ...(isRead && { userId: ADA }) };
      expect([changed, runs]).toEqual([[], [{ payload: 'x', answer }]]);
      expect(await machine.entries()).toEqual([]);
    },
  );

  it('can be withdrawn while the file waits for no answer', async () => {
    const { machine, process } = await open('confirm');
    const { id } = await process.task('deploy').ask(questionOf(1), 'x', { within: '1h' });
    await process.reload({ deploy: defineTask({ payload: z.string(), run: () => {} }) });
    expect(await process.cancel(id)).toBe(true);
    await machine.clock.advance(DAY);
    expect(await machine.entries()).toEqual([]);
  });

  it('keeps the calls of a task that waits for an answer since', async () => {
    const { machine, runs, process, definition } = await open('confirm');
    const called = defineTask({
      payload: z.string(),
      run: ({ payload }) => void runs.push({ payload, answer: 0 }),
    });
    await process.reload({ deploy: called });
    await process.task('deploy').in('1h', 'x');
    await process.reload({ deploy: definition });
    await machine.clock.advance(DAY);
    expect(runs).toEqual([]);
    await process.reload({ deploy: called });
    await machine.clock.advance(MINUTE);
    expect(runs).toEqual([{ payload: 'x', answer: 0 }]);
  });
});

describe('a question whose process is killed', () => {
  /** Asks, has ADA answer, and kills the process at a use of the storage. Then another process starts. */
  async function killedAt(use: number, phase: 'asking' | 'answering') {
    let isCounting = false;
    let uses = 0;
    const processes: TaskProcess[] = [];
    const machine = await createTaskMachine({
      latencyMs: () => {
        if (isCounting && (uses += 1) === use) processes[0]?.kill();
        return 1;
      },
    });
    const runs: unknown[] = [];
    const run = ({ answer }: { readonly answer: unknown }): void => void runs.push(answer);
    const deploy = defineTask({ waits: 'confirm', payload: z.string(), run });
    const question = questionOf(1);
    const rest = createFakeRest();
    const press = reaction(question.id, ADA, '✅');
    rest.always('reactions.details', { reactions: [{ emoji: press.emoji, users: [{ id: ADA }] }] });
    const first = await machine.start({ deploy });
    processes.push(first);
    isCounting = phase === 'asking';
    let isAsked = false;
    const asking = first.task('deploy').ask(question, 'x', { within: '1h' });
    asking.then(
      () => (isAsked = true),
      () => {},
    );
    await machine.clock.advance(SECOND);
    isCounting = true;
    first.emit('MESSAGE_REACTION_ADD', press);
    await machine.clock.advance(SECOND);
    await machine.start({ deploy }, { rest: rest.rest });
    await machine.clock.advance(SECOND);
    const prompt = runs.length;
    await machine.clock.advance(2 * HOUR);
    const left = await machine.entries();
    return { runs, left, isAsked, prompt };
  }

  it.each(Array.from({ length: 8 }, (_, index) => index + 1))(
    'while it asks, at use %i of the storage, has one outcome',
    async (use) => {
      const { runs, left, isAsked } = await killedAt(use, 'asking');
      expect(left).toEqual([]);
      expect(runs.length).toBeLessThanOrEqual(1);
      expect(runs).toEqual(isAsked ? [{ yes: true, userId: ADA }] : runs.slice(0, 1));
    },
  );

  it.each(Array.from({ length: 17 }, (_, index) => index + 1))(
    'after its answer, at use %i of the storage, has that answer',
    async (use) => {
      const { runs, left, prompt } = await killedAt(use, 'answering');
      expect(left).toEqual([]);
      expect(new Set(runs.map((each) => JSON.stringify(each))).size).toBe(1);
      expect(runs[0]).toEqual({ yes: true, userId: ADA });
      // The first use of the storage after the handler deletes the question: its run does not begin again.
      expect(runs.length).toBe(1);
      // A killed process keeps its claim of a run for up to 30 seconds.
      expect(prompt).toBe(use === 7 || use === 8 ? 0 : 1);
    },
  );
});
