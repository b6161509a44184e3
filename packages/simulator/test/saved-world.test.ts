import { startSimulator, type Simulator, type SimulatorOptions } from '@virgule/simulator';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPlatform } from './open-platform.js';
import { runCommand } from './run-command.js';
import { uploadFile } from './upload-file.js';

async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator(options);
  onTestFinished(() => simulator.close());
  return simulator;
}
/** Returns the saved world, as a file would contain it. */
const kept = (simulator: Simulator): string => simulator.save();
const texts = (simulator: Simulator): string[] =>
  simulator.messages('general').map(({ content }) => content);

describe('Simulator.save', () => {
  it('keeps what was said for a later run, and new messages come after it', async () => {
    const first = await start();
    first.sendMessage({ content: 'one' });
    first.sendMessage({ content: 'two' });
    const second = await start({ saved: kept(first) });
    expect([second.restored, second.messageCount]).toEqual([true, first.messageCount]);
    expect(texts(second)).toEqual(texts(first));
    second.sendMessage({ content: 'three' });
    expect(texts(second).slice(-3)).toEqual(['one', 'two', 'three']);
    const ids = second.messages('general').map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('dates messages of a clock that was ahead to the present, so that new messages stay the newest', async () => {
    const first = await start();
    await first.act('clock', { action: 'skip', time: '1d' });
    first.sendMessage({ content: 'tomorrow' });
    const second = await start({ saved: kept(first) });
    second.sendMessage({ content: 'today' });
    const [tomorrow, today] = second.messages('general').slice(-2);
    expect([tomorrow?.content, today?.content]).toEqual(['tomorrow', 'today']);
    expect(Date.parse(tomorrow?.createdAt ?? '')).toBeLessThanOrEqual(
      Date.parse(today?.createdAt ?? ''),
    );
  });

  it('keeps edits, deletions, reactions and replies', async () => {
    const first = await start();
    const { id } = first.sendMessage({ content: 'one' });
    const gone = first.sendMessage({ content: 'gone' });
    const seconds = 0;
    await first.act('edit', { message: id, content: 'edited', seconds });
    await first.act('react', { message: id, emoji: '🎉', seconds });
    await first.act('delete', { message: gone.id, seconds });
    await first.act('say', { content: 'reply', replyTo: id, seconds });
    const second = await start({ saved: kept(first) });
    expect(second.messages('general')).toEqual(first.messages('general'));
  });

  it('keeps the files of messages, and no others', async () => {
    const platform = await openPlatform();
    await uploadFile(platform);
    expect(kept(platform.simulator)).not.toContain('"files"');
    const objectKey = await uploadFile(platform, { bytes: Buffer.from('remember') });
    const reply = await platform.call(
      'messages.send',
      { channelId: platform.channelId('general') },
      { body: { content: 'a file', attachments: [{ objectKey }] } },
    );
    expect(reply.status).toBeLessThan(300);
    const second = await start({ saved: kept(platform.simulator) });
    const [attachment] = second.messages('general').at(-1)?.attachments ?? [];
    const { body } = await request(`${second.baseUrl}/_sim/file?id=${attachment?.id}`);
    expect(await body.text()).toBe('remember');
  });

  it('keeps what was answered with it, so that the page can say who used which command', async () => {
    const platform = await openPlatform();
    const { id } = await runCommand(platform);
    const { id: waiting } = platform.simulator.run({ rawInput: '/ask again' });
    await platform.call(
      'interactions.respond',
      { interactionId: id },
      { body: { content: 'Because' } },
    );
    const second = await start({ saved: kept(platform.simulator) });
    const { interactions } = second.snapshot();
    const before = platform.simulator.snapshot().interactions;
    expect(interactions).toEqual(before.filter((interaction) => interaction.id === id));
    expect(interactions).toMatchObject([{ rawInput: '/ask why', state: 'answered' }]);
    expect(second.messages('general').at(-1)).toMatchObject({
      id: interactions[0]?.responseMessageId,
      content: 'Because',
    });
    // Unanswered interactions end with their run.
    expect(before.map((interaction) => interaction.id)).toContain(waiting);
  });

  it('keeps the newest 200 of them', async () => {
    const platform = await openPlatform();
    await platform.register('ask');
    for (let n = 0; n < 205; n += 1) {
      const { id } = platform.simulator.run({ rawInput: `/ask ${n}` });
      await platform.call(
        'interactions.respond',
        { interactionId: id },
        { body: { content: 'So' } },
      );
    }
    const second = await start({ saved: kept(platform.simulator) });
    const inputs = second.snapshot().interactions.map(({ rawInput }) => rawInput);
    expect([inputs.length, inputs[0], inputs.at(-1)]).toEqual([200, '/ask 5', '/ask 204']);
  });

  it.each([
    ['nonsense', () => 'nonsense'],
    ['lines without a header', () => '\n{"type":"message.deleted","messageId":"x","sequence":1}\n'],
    ['another version', (saved: string) => saved.replace(/"v":\d+/, '"v":0')],
    ['another seed', (saved: string) => saved.replace(/"seed":"[^"]*"/, '"seed":"other"')],
    [
      'a channel that is not there',
      (saved: string) => saved.replaceAll(/"channelId":"[^"]*"/g, '"channelId":"x"'),
    ],
  ])('leaves %s aside', async (_, change) => {
    const first = await start();
    first.sendMessage({ content: 'one' });
    const second = await start({ saved: change(kept(first)) });
    expect(second.restored).toBe(false);
    expect(texts(second)).not.toEqual(texts(first));
  });

  it('has nothing restored when nothing was saved', async () => {
    expect((await start()).restored).toBe(false);
  });
});

describe('Simulator.journal', () => {
  it('adds every later change to what was saved', async () => {
    const platform = await openPlatform();
    const { simulator } = platform;
    await platform.register('ask');
    let text = kept(simulator);
    const stop = simulator.journal((line) => (text += line));

    const { id, channelId } = simulator.sendMessage({ content: 'one' });
    const gone = simulator.sendMessage({ content: 'gone' });
    await platform.act('edit', { message: id, content: 'edited' });
    simulator.react({ messageId: id, emoji: '🎉' });
    simulator.react({ messageId: id, emoji: '👍' });
    simulator.react({ messageId: id, emoji: '👍', remove: true });
    await platform.act('delete', { message: gone.id });
    simulator.sendMessage({ attachments: [{ name: 'a.txt', data: Buffer.from('remember') }] });
    const answered = simulator.run({ rawInput: '/ask' });
    simulator.run({ rawInput: '/ask again' });
    simulator.respond(answered.id, 'Because');
    stop();
    const before = simulator.messages('general');
    simulator.sendMessage({ content: 'after the listener was removed' });

    const second = await start({ saved: text });
    expect(second.messages('general')).toEqual(before);
    expect(before.map(({ content, isDeleted }) => [content, isDeleted]).slice(1)).toEqual([
      ['edited', false],
      ['', true],
      ['', false],
      ['Because', false],
    ]);
    expect(second.snapshot().interactions.map((each) => each.id)).toEqual([answered.id]);
    const { body } = await request(
      `${second.baseUrl}/_sim/file?id=${before.at(-2)?.attachments[0]?.id}`,
    );
    expect(await body.text()).toBe('remember');
    // Each id is used once, although most changes are not kept.
    expect(before.map((each) => each.id)).not.toContain(second.sendMessage({ content: 'new' }).id);
    expect(texts(second).at(-1)).toBe('new');
    expect(channelId).toBe(second.channel().id);
  });

  it('is valid in every later run after a channel with an answered command was deleted', async () => {
    const platform = await openPlatform();
    const { simulator, act } = platform;
    const lines = [simulator.save()];
    simulator.journal((line) => lines.push(line));
    const serverId = platform.serverId('Sandbox');
    const added = await act('channel', { serverId, name: 'short-lived', kind: 'text' });
    expect(added.status).toBe(200);
    const { id } = added.body as { id: string };
    await platform.register('ask');
    const run = simulator.run({ rawInput: '/ask why', channel: id });
    simulator.respond(run.id, 'So.');
    expect((await act('channel', { id, remove: true })).status).toBeLessThan(300);
    simulator.sendMessage({ content: 'kept' });
    const second = await start({ saved: lines.join('') });
    expect(second.interaction(run.id)).toBeUndefined();
    const third = await start({ saved: kept(second) });
    expect(third.restored).toBe(true);
    expect(texts(third).at(-1)).toBe('kept');
  });

  it('is read to its end if lines in it are incomplete', async () => {
    const first = await start();
    let journal = '';
    first.journal((line) => (journal += line));
    first.sendMessage({ content: 'one' });
    const base = kept(first);
    journal = '';
    first.sendMessage({ content: 'torn' });
    const torn = journal.slice(0, journal.length / 2);
    journal = '';
    first.sendMessage({ content: 'three' });
    const second = await start({ saved: `${base}${torn}\n${journal}${torn}` });
    expect(texts(second).slice(-2)).toEqual(['one', 'three']);
  });

  it('forgets what a full channel forgot', async () => {
    const first = await start();
    let text = kept(first);
    first.journal((line) => (text += line));
    for (let n = 0; n < 11_000; n += 1) first.sendMessage({ content: `${n}` });
    const second = await start({ saved: text });
    expect(texts(second)).toEqual(texts(first));
    expect(texts(second)).toHaveLength(10_001);
  });
});
