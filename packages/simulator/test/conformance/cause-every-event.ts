import type { PlainBot } from './plain-bot.js';

const THUMB = { unicodeEmoji: '👍', customEmojiId: null };

/** Causes one event of each kind, in the order of the table. */
export async function causeEveryEvent(bot: PlainBot): Promise<void> {
  const path = await bot.botWrites();
  await bot.api('PATCH', path, { content: 'Edited' });
  await bot.api('DELETE', path);
  const other = bot.adaWrites('read-only');
  await bot.api('PUT', `${other}/reactions/me`, THUMB);
  await bot.api('DELETE', `${other}/reactions/me`, THUMB);
  await bot.api('POST', `/channels/${bot.channelId('Lounge')}/voice/join`);
  await bot.api('POST', `/channels/${bot.channelId('Lounge')}/voice/leave`);
  await bot.runAsk();
}
