import { PROFILE_NAMES, PROFILES, resolveProfile } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { openPlainBot, list, at } from './conformance/plain-bot.js';

describe.each(PROFILE_NAMES)('the profile %s', (name) => {
  it('assumes nothing that the Bot Interface states otherwise', async () => {
    const bot = await openPlainBot({ profile: PROFILES[name] });
    const { body } = await bot.api('GET', `/channels/${bot.channelId('long-history')}/messages`);
    // "limit defaults to 50"
    expect(list(at(body, 'messages'))).toHaveLength(50);
    const middle = bot.simulator.messages('long-history')[124]?.id ?? '';
    const context = await bot.api(
      'GET',
      `/channels/${bot.channelId('long-history')}/messages/${middle}/context`,
    );
    // "each defaulting to 25 messages"
    expect(list(at(context.body, 'messages'))).toHaveLength(51);
    const { answerWindowMs, deferredWindowMs } = resolveProfile(PROFILES[name]);
    // "Defer first for slow work"
    expect(deferredWindowMs).toBeGreaterThan(answerWindowMs);
  });
});
