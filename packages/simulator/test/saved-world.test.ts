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
/** As through a file. */
const kept = (simulator: Simulator): unknown => JSON.parse(JSON.stringify(simulator.save()));
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

  it('keeps edits, deletions, reactions and replies', async () => {
    const first = await start();
    const control = async (method: string, path: string, body: object) => {
      const response = await request(`${first.baseUrl}${path}`, {
        method: method as 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(response.statusCode).toBeLessThan(300);
    };
    const { id, channelId, authorId: userId } = first.sendMessage({ content: 'one' });
    const gone = first.sendMessage({ content: 'gone' });
    await control('PATCH', `/_sim/messages/${id}`, { userId, content: 'edited' });
    await control('POST', '/_sim/reactions', {
      channelId,
      userId,
      messageId: id,
      unicodeEmoji: '🎉',
    });
    await control('DELETE', `/_sim/messages/${gone.id}`, { userId });
    await control('POST', '/_sim/messages', {
      channelId,
      userId,
      content: 'reply',
      replyToMessageId: id,
    });
    const second = await start({ saved: kept(first) });
    expect(second.messages('general')).toEqual(first.messages('general'));
  });

  it('keeps the files of messages, and no others', async () => {
    const platform = await openPlatform();
    await uploadFile(platform);
    expect(platform.simulator.save()).toMatchObject({ files: {} });
    const objectKey = await uploadFile(platform, { bytes: Buffer.from('remember') });
    const reply = await platform.call(
      'messages.send',
      { channelId: platform.channelId('general') },
      { body: { content: 'a file', attachments: [{ objectKey }] } },
    );
    expect(reply.status).toBeLessThan(300);
    const second = await start({ saved: kept(platform.simulator) });
    const [attachment] = second.messages('general').at(-1)?.attachments ?? [];
    const { body } = await request(`${second.baseUrl}/_sim/attachments/${attachment?.id}`);
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

  it('takes what was saved without them', async () => {
    const first = await start();
    first.sendMessage({ content: 'one' });
    const saved = Object.entries(first.save()).filter(([name]) => name !== 'interactions');
    const second = await start({ saved: Object.fromEntries(saved) });
    expect([second.restored, texts(second).at(-1)]).toEqual([true, 'one']);
  });

  it.each([
    ['nonsense', 'nonsense'],
    ['another version', { v: 2 }],
    ['another seed', { seed: 'other' }],
    ['a channel that is not there', { messages: [{ channelId: 'x' }] }],
    ['a command that is none', { interactions: [{ id: 'x' }] }],
  ])('leaves %s aside', async (_, change) => {
    const first = await start();
    const saved = typeof change === 'string' ? change : { ...first.save(), ...change };
    const second = await start({ saved });
    expect(second.restored).toBe(false);
    expect(texts(second)).toEqual(texts(first));
  });

  it('has nothing restored when nothing was saved', async () => {
    expect((await start()).restored).toBe(false);
  });
});
