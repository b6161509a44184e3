import { createFakeClock } from '@virgule/core/clock';
import { DEFAULT_PROFILE } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { refused } from '../../test/client-failures.js';
import { createFakeRest } from '../../test/fake-rest.js';
import { CHANNEL, interactionId, OTHER_CHANNEL, OTHER_USER, SERVER } from '../../test/ids.js';
import { messageWith } from '../../test/messages.js';
import { createRecordedLog } from '../../test/recorded-log.js';
import { settle } from '../../test/test-bot.js';
import { Interaction } from '../interaction/interaction.js';
import { createCommandContext, type CommandContextInit } from './create-command-context.js';

function open(init: Partial<CommandContextInit> = {}) {
  const fake = createFakeRest();
  const log = createRecordedLog();
  const event = {
    interactionId: interactionId(1),
    serverId: SERVER,
    channelId: CHANNEL,
    name: 'x',
    rawInput: '/x',
    // Not in the interface document; some platforms may send it.
    userId: OTHER_USER,
  };
  const interaction = new Interaction({
    id: event.interactionId,
    commandName: 'x',
    calls: fake.rest.interactions,
    profile: DEFAULT_PROFILE,
    log,
  });
  const abort = new AbortController();
  const context = createCommandContext({
    event,
    options: { sides: 6 },
    interaction,
    rest: fake.rest,
    clock: createFakeClock(),
    random: () => 0.25,
    log,
    signal: abort.signal,
    ...init,
  });
  return { fake, log, event, interaction, abort, context };
}

describe('CommandContext', () => {
  it('tells what is known of the command', () => {
    const { context, event, fake } = open();
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
    const { fake, log, abort, context } = open();
    const { reply, edit, defer, here, channel, clock, random, signal } = context;
    const { info } = context.log;
    await defer();
    const sent = await reply('one');
    await edit('two');
    await sent.edit('three');
    await here.typing();
    await channel(OTHER_CHANNEL).send('Hello');
    info({ extra: 1 }, 'noted');
    expect(fake.lines).toEqual([
      'defer',
      'respond one',
      'edit two',
      'edit three',
      'channels.typing',
      'messages.send Hello',
    ]);
    expect([random(), clock.now()]).toEqual([0.25, Date.UTC(2026, 0, 1)]);
    expect(log.lines).toEqual([
      {
        level: 'info',
        message: 'noted',
        details: { command: 'x', interactionId: interactionId(1), extra: 1 },
      },
    ]);
    abort.abort();
    expect(signal.aborted).toBe(true);
  });

  it('logs in four levels', () => {
    const { log, context } = open();
    for (const level of ['debug', 'info', 'warn', 'error'] as const) context.log[level]({}, level);
    expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
      ['debug', 'debug'],
      ['info', 'info'],
      ['warn', 'warn'],
      ['error', 'error'],
    ]);
  });

  it('writes the answer by reply() or edit(), whichever comes first', async () => {
    const first = open();
    await first.context.edit('one');
    await first.context.reply('two');
    expect(first.fake.lines).toEqual(['respond one', 'followUp two']);
    const second = open();
    await second.context.reply({ content: 'one' });
    await second.context.edit({ content: 'two' });
    expect(second.fake.lines).toEqual(['respond one', 'edit two']);
  });

  it('gives a handle of the answer that edits the answer, and of a follow-up that edits a message', async () => {
    const { fake, context } = open();
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
    const { fake, context } = open();
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
    const unheard: unknown[] = [];
    const hear = (reason: unknown): void => void unheard.push(reason);
    process.on('unhandledRejection', hear);
    const { fake, context } = open();
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
    process.off('unhandledRejection', hear);
    expect(unheard).toEqual([]);
  });

  it('refuses nothing and no text at all in the same way', async () => {
    const { context } = open();
    for (const nothing of [null, undefined, 7]) {
      await expect(context.reply(nothing as unknown as string)).rejects.toMatchObject({
        code: 'E_ANSWER_TYPE',
      });
    }
  });

  it('writes no more once the command is over', async () => {
    const failures: { readonly error: unknown }[] = [];
    const { fake, context } = open({ over: () => failures[0] });
    const sent = await context.reply('one');
    failures.push({ error: new Error('failed before') });
    const { reply, edit, defer } = context;
    for (const late of [() => reply('two'), () => edit('two'), defer, () => sent.edit('two')]) {
      await expect(late()).rejects.toThrow('failed before');
    }
    expect(fake.lines).toEqual(['respond one']);
  });
});
