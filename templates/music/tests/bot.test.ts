import { createTestBot, type TestBot } from 'virgule/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

let bot: TestBot;
beforeEach(async () => {
  // The bot plays on the clock of the test, and sends nothing.
  bot = await createTestBot();
});
afterEach(() => bot.close());

/** Returns the answer to a line. */
const say = async (line: string) => (await bot.run(line)).content;
/** Returns the voice channels that the bot sends audio to. */
const open = () => bot.platform.snapshot().voice.filter(({ ingressOpen }) => ingressOpen);

it('plays a song to its end, and leaves', async () => {
  expect(await say('/play morning')).toBe('Playing morning in Lounge.');
  expect(open()).toHaveLength(1);
  await bot.clock.advance('4s');
  expect(await say('/now')).toMatch(/^▶️ morning 0:0[34]$/);
  await bot.clock.advance('10s');
  expect(open()).toEqual([]);
  expect(await say('/now')).toBe('Nothing plays. Start with /play.');
});

it('plays what is in the queue, and skips', async () => {
  await say('/play morning');
  expect(await say('/play Waltz')).toBe('Added waltz to the queue.');
  await say('/play morning');
  expect(await say('/queue')).toBe('1. waltz\n2. morning');
  expect(await say('/skip')).toBe('Playing waltz.');
  expect(await say('/queue')).toBe('1. morning');
  await say('/skip');
  expect(await say('/queue')).toBe('The queue is empty.');
  expect(await say('/skip')).toBe('That was the last song.');
  await bot.idle();
  expect(open()).toEqual([]);
});

it('plays both songs when two users begin at once', async () => {
  const answers = await Promise.all([say('/play morning'), say('/play waltz')]);
  expect(answers).toEqual(['Playing morning in Lounge.', 'Added waltz to the queue.']);
});

it('pauses, and continues where it was', async () => {
  await say('/play morning');
  await bot.clock.advance('2s');
  expect(await say('/pause')).toContain('Paused.');
  await bot.clock.advance('1m');
  expect(await say('/now')).toMatch(/^⏸️ morning 0:0[12]$/);
  expect(await say('/pause')).toBe('Continued.');
  await bot.clock.advance('2s');
  expect(await say('/now')).toMatch(/^▶️ morning 0:0[34]$/);
});

it('stops at once', async () => {
  await say('/play waltz');
  expect(await say('/stop')).toBe('Stopped.');
  expect(open()).toEqual([]);
});

it('plays songs, and no other files', async () => {
  expect(await say('/play ../package')).toBe('I have no song "../package", only: morning, waltz');
});

it('stops when the last listener leaves', async () => {
  const { id: channelId } = bot.platform.channel('Lounge');
  const { id: userId, username, displayName } = bot.platform.user('grace');
  const [server] = bot.platform.snapshot().servers;
  const participants = [{ userId, username, displayName }];
  const change = { serverId: server?.id ?? '', userId, participants };
  await bot.emit('VOICE_STATE_UPDATE', { ...change, channelId });
  await say('/play morning');
  expect(open()).toHaveLength(1);
  await bot.emit('VOICE_STATE_UPDATE', { ...change, channelId: null });
  expect(open()).toEqual([]);
});
