import { describe, expect, it } from 'vitest';
import type { SimInteraction } from '@virgule/core/simulator-api';
import { BOT, PROFILE, interaction } from '../../test/sample-world.js';
import { describeInteraction } from './interaction-text.js';
import type { World } from './world.js';

const NOW = 1_800_000_000_000;

const say = (more: Partial<SimInteraction>, world: Partial<World> = {}) =>
  describeInteraction(interaction(more), { bots: [BOT], profile: PROFILE, ...world }, NOW);

describe('describeInteraction', () => {
  it('counts down while the bot thinks', () => {
    const expiresAt = new Date(NOW + 881_000).toISOString();
    expect(say({ state: 'deferred', expiresAt })).toEqual({
      tone: 'thinking',
      text: 'Demo Bot is thinking',
      detail: 'expires in 14 min 41 s',
    });
  });

  it('waits quietly', () => {
    expect(say({ state: 'waiting' })).toMatchObject({
      tone: 'quiet',
      text: 'waiting for the bot',
    });
  });

  it('says that an acknowledgement has no response', () => {
    expect(say({ state: 'acknowledged' }).text).toBe('acknowledged, no response');
  });

  it('names the window that was missed', () => {
    expect(say({ state: 'expired' }).detail).toBe('No first answer within 3 s.');
    expect(say({ state: 'expired', wasDeferred: true }).detail).toBe(
      'Deferred, then no answer within 15 min.',
    );
  });

  it('states when the bot is not even connected', () => {
    expect(say({ state: 'expired' }, { bots: [{ ...BOT, connected: false }] })).toMatchObject({
      tone: 'error',
      text: 'Demo Bot did not respond in time.',
      detail: 'No first answer within 3 s. The bot is not connected.',
    });
    expect(say({ state: 'expired' }, { profile: null }).detail).toBe('No answer in time.');
  });
});
