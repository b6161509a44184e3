import { createFakeClock } from '@virgule/core/clock';
import { INTENTS } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { refused } from '../../../test/client-failures.js';
import { createFakeRest } from '../../../test/fake-rest.js';
import {
  BOT_USER,
  CHANNEL,
  interactionId,
  MESSAGE,
  OTHER_CHANNEL,
  OTHER_USER,
  SERVER,
} from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import { projectOf } from '../../../test/project-of.js';
import { createRecordedLog } from '../../../test/recorded-log.js';
import { settle } from '../../../test/test-bot.js';
import { createTestEnvironment } from '../../../test/test-environment.js';
import { CommandRun } from './command-run.js';
import { contextOf } from './create-command-context.js';

async function open() {
  const fake = createFakeRest();
  const log = createRecordedLog(false);
  const clock = createFakeClock();
  const event = {
    interactionId: interactionId(1),
    serverId: SERVER,
    channelId: CHANNEL,
    name: 'x',
    rawInput: '/x',
    // Not in the interface document; some platforms may send it.
    userId: OTHER_USER,
  };
  const project = await projectOf({
    'commands/x.ts': { default: { description: 'Does x', intents: [...INTENTS], run: () => 'x' } },
  });
  const command = project.commands.get('x');
  if (!command) throw new Error('The project has no command /x.');
  const env = createTestEnvironment({
    rest: fake.rest,
    clock,
    random: () => 0.25,
    log,
    commands: () => [
      { name: 'x', description: 'Does x', aliases: [], usage: '/x', options: [], meta: {} },
    ],
  });
  const received = {
    command,
    event,
    receivedAtMs: clock.monotonic(),
    cause: 'blocked',
  } as const;
  const run = new CommandRun(received, env);
  run.options = { sides: 6 };
  return { fake, log, event, run, clock, waits: env.waits, context: contextOf(run) };
}

describe('CommandContext', () => {
  it('has what is known of the command', async () => {
    const { context, event, fake } = await open();
    expect(context).toMatchObject({
      options: { sides: 6 },
      commandName: 'x',
      interactionId: interactionId(1),
      serverId: SERVER,
      channelId: CHANNEL,
      rest: fake.rest,
    });
    expect(context.raw).toEqual(event);
    expect(context.raw['userId']).toBe(OTHER_USER);
    expect([context.here.id, context.channel(OTHER_CHANNEL).id]).toEqual([CHANNEL, OTHER_CHANNEL]);
  });

  it('survives destructuring, every member of it', async () => {
    const { fake, log, run, clock, waits, context, event } = await open();
    const {
      options,
      reply,
      edit,
      append,
      confirm,
      waitForMessage,
      reactions,
      paginate,
      defer,
      here,
      channel,
      fetchAttachment,
      commandName,
      author,
      caller,
      call,
      tools,
      meta,
      commands,
      interactionId: id,
      serverId,
      channelId,
      raw,
      services,
      env,
      locals,
      rest,
      signal,
      clock: time,
      random,
      storage: { get, set, forServer },
      tasks,
      voice: { stream },
      me: { id: ownId },
      log: { info },
      ...others
    } = context;
    // A member that is new has to be used below too.
    expect(Object.keys(others)).toEqual([]);
    expect([author, caller, meta, tasks, ownId]).toEqual([undefined, 'slash', {}, {}, '']);
    expect(tools()).toEqual({});
    await expect(call('y', {})).rejects.toMatchObject({ code: 'E_CALL' });
    expect(stream).toThrow(expect.objectContaining({ code: 'E_VOICE_MISSING' }));
    expect(await fetchAttachment('https://x/a', { maxBytes: 9 })).toBeInstanceOf(Blob);
    expect(fake.calls.at(-1)?.args).toEqual(['https://x/a', { maxBytes: 9, hosts: [], signal }]);
    await set('key', 1);
    expect([await get('key'), await forServer(serverId).list()]).toEqual([1, []]);
    const message = messageWith();
    fake.always('interactions.followUp', message);
    const deliver = (t: string, data: object): void =>
      waits.receive(
        t,
        { serverId: SERVER, channelId: CHANNEL, userId: OTHER_USER, ...data },
        BOT_USER,
      );
    const emoji = { kind: 'unicode', unicodeEmoji: '✅' };
    const pressed = { messageId: MESSAGE, emoji, count: 2 };

    await defer();
    const sent = await reply('one');
    await edit('two');
    await sent.edit('three');
    await append([', four']);
    await here.typing();
    await here.typing.during(Promise.resolve());
    await channel(OTHER_CHANNEL).send('Hello');
    info({ extra: 1 }, 'noted');

    const sure = confirm('Sure?', { within: '1m' });
    await settle();
    deliver('MESSAGE_REACTION_ADD', pressed);
    expect(await sure).toBe(true);

    const next = waitForMessage({ within: '1m' });
    deliver('MESSAGE_CREATE', messageWith({ authorId: OTHER_USER, content: 'Me' }));
    expect((await next)?.content).toBe('Me');

    const given = reactions(MESSAGE, { within: '1m' });
    deliver('MESSAGE_REACTION_ADD', pressed);
    expect((await given.next()).value).toMatchObject({ userId: OTHER_USER });
    await given.return();

    const turned = paginate(['page 1', 'page 2'], { within: '1s' });
    await clock.advance(1_000);
    await turned;

    expect(fake.lines.filter((line) => !line.startsWith('reactions.'))).toEqual([
      'attachments.download',
      'defer',
      'respond one',
      'edit two',
      'edit three',
      'edit three, four',
      'channels.typing',
      'channels.typing',
      'messages.send Hello',
      'followUp Sure?',
      'followUp page 1',
    ]);
    expect([options, commandName, id, serverId, channelId, raw]).toEqual([
      { sides: 6 },
      'x',
      interactionId(1),
      SERVER,
      CHANNEL,
      event,
    ]);
    expect([services, env, locals]).toEqual([{}, {}, {}]);
    expect([rest, commands[0]?.usage, random()]).toEqual([fake.rest, '/x', 0.25]);
    expect(time.now()).toBe(Date.UTC(2026, 0, 1, 0, 0, 1));
    expect(log.lines).toEqual([
      {
        level: 'info',
        message: 'noted',
        details: { command: 'x', interactionId: interactionId(1), extra: 1 },
      },
    ]);
    run.lifetime.stop(new Error('stopped'));
    expect(signal.aborted).toBe(true);
  });

  it('logs in four levels', async () => {
    const { log, context } = await open();
    for (const level of ['debug', 'info', 'warn', 'error'] as const) context.log[level]({}, level);
    expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
      ['debug', 'debug'],
      ['info', 'info'],
      ['warn', 'warn'],
      ['error', 'error'],
    ]);
  });

  it('writes the answer by reply() or edit(), whichever comes first', async () => {
    const first = await open();
    await first.context.edit('one');
    await first.context.reply('two');
    expect(first.fake.lines).toEqual(['respond one', 'followUp two']);
    const second = await open();
    await second.context.reply({ content: 'one' });
    await second.context.edit({ content: 'two' });
    expect(second.fake.lines).toEqual(['respond one', 'edit two']);
  });

  it('returns a handle of the answer that edits the answer, and of a follow-up that edits a message', async () => {
    const { fake, context } = await open();
    fake.once('interactions.followUp', messageWith({ id: interactionId(5), content: 'two' }));
    const answer = await context.reply('one');
    const followUp = await context.reply('two');
    await answer.edit('one, edited');
    await followUp.edit('two, edited');
    expect(fake.lines).toEqual([
      'respond one',
      'followUp two',
      'edit one, edited',
      'messages.edit two, edited',
    ]);
    expect(fake.calls.at(-1)?.args[1]).toBe(interactionId(5));
  });

  it('finds the answer in the channel by the text it has now', async () => {
    const { fake, context } = await open();
    const answer = await context.reply('working');
    await context.edit('done');
    fake.always('messages.list', {
      messages: [messageWith({ content: 'done' })],
      hasMore: false,
      oldestId: null,
    });
    expect((await answer.message()).content).toBe('done');
  });

  it('passes on what is refused, and a forgotten await does not end the process', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    const { fake, context } = await open();
    fake.always('interactions.respond', refused(403));
    fake.always('interactions.defer', refused(403));
    await expect(context.reply('one')).rejects.toMatchObject({ code: 'E_API_REFUSED' });
    await expect(context.edit('one')).rejects.toMatchObject({ code: 'E_API_REFUSED' });
    await expect(context.defer()).rejects.toMatchObject({ code: 'E_API_REFUSED' });
    void context.reply('two');
    void context.edit('two');
    void context.defer();
    await settle();
    await settle();
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });

  it('refuses nothing and no text at all in the same way', async () => {
    const { context } = await open();
    for (const nothing of [null, undefined, 7]) {
      await expect(context.reply(nothing as unknown as string)).rejects.toMatchObject({
        code: 'E_ANSWER_INVALID',
      });
    }
  });

  it('writes no more once the command has ended', async () => {
    const { fake, run, context } = await open();
    const sent = await context.reply('one');
    run.sealed ??= { error: new Error('failed before') };
    const { reply, edit, defer } = context;
    const { append, confirm, paginate } = context;
    for (const late of [
      () => reply('two'),
      () => edit('two'),
      defer,
      () => sent.edit('two'),
      () => append(['two']),
      () => confirm('two'),
      () => paginate(['two']),
    ]) {
      await expect(late()).rejects.toThrow('failed before');
    }
    expect(fake.lines).toEqual(['respond one']);
  });

  it('stops appending once the command has ended', async () => {
    const { fake, run, clock, context } = await open();
    const appended = context.append(
      (async function* () {
        yield 'one';
        run.sealed ??= { error: new Error('failed before') };
        yield ' two';
      })(),
    );
    appended.catch(() => {});
    await clock.advance(1_000);
    await expect(appended).rejects.toThrow('failed before');
    expect(fake.lines).toEqual(['respond one']);
  });

  it('refuses to append what is no text, and keeps what came before it', async () => {
    const { fake, context } = await open();
    const pieces = ['one', 7] as readonly unknown[] as string[];
    await expect(context.append(pieces)).rejects.toMatchObject({
      code: 'E_ANSWER_INVALID',
      details: { saw: 'number' },
    });
    expect(fake.lines).toEqual(['respond one']);
  });

  it('appends in follow-ups, which are edited as messages of their own', async () => {
    const { fake, clock, context } = await open();
    fake.always('interactions.followUp', messageWith({ id: interactionId(5) }));
    const text = Array.from({ length: 300 }, (_, n) => `word${n}`).join(' ');
    const appended = context.append(
      (async function* () {
        yield text;
        await clock.sleep(2_000);
        yield ' and more';
      })(),
    );
    await clock.advance(5_000);
    const messages = await appended;
    expect(messages).toHaveLength(2);
    expect(fake.calls.map(({ endpoint }) => endpoint)).toEqual([
      'interactions.respond',
      'interactions.followUp',
      'messages.edit',
    ]);
    expect(fake.calls[2]?.args).toEqual([
      CHANNEL,
      interactionId(5),
      { content: expect.stringMatching(/word299 and more$/) },
    ]);
    expect(fake.calls[0]?.args[1]).toMatchObject({ content: expect.stringMatching(/^word0 /) });
  });

  it('takes no files in an edit, not even in the first', async () => {
    const { fake, context } = await open();
    const withFiles = { content: 'text', files: ['a.png'] } as unknown as string;
    const sent = await context.here.send('Hello');
    for (const edit of [context.edit, sent.edit]) {
      await expect(edit(withFiles)).rejects.toMatchObject({ code: 'E_ANSWER_INVALID' });
    }
    expect(fake.lines).toEqual(['messages.send Hello']);
  });

  it('warns once for each command that asks for an answer only one user sees', async () => {
    const { log, context } = await open();
    const input = { content: 'psst', ephemeral: true } as unknown as { readonly content: string };
    await context.reply(input);
    await context.reply(input);
    await context.edit(input);
    expect(log.at('warn')).toEqual([
      '/x answers with "ephemeral", which the platform does not support: all members see the answer',
    ]);
    const other = await open();
    await other.context.reply(input);
    expect(other.log.at('warn')).toHaveLength(1);
  });
});
