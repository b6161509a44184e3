import { describe, expect, it } from 'vitest';
import type { SimEvent } from '@virgule/core/simulator-api';
import {
  ADA,
  BOT,
  COMMANDS,
  LOUNGE,
  id,
  interaction,
  message,
  snapshot,
} from '../../test/sample-world.js';
import { EMPTY_WORLD, applyEvent } from './world.js';

const world = applyEvent(EMPTY_WORLD, { type: 'snapshot', snapshot: snapshot() });

describe('applyEvent', () => {
  it('is ready after the first snapshot', () => {
    expect(EMPTY_WORLD.isReady).toBe(false);
    expect(world.isReady).toBe(true);
    expect(world.channels.length).toBeGreaterThan(0);
  });

  it('forgets what a new snapshot does not have', () => {
    const next = applyEvent(world, {
      type: 'snapshot',
      snapshot: snapshot({ voice: [] }),
    });
    expect(next.voice.size).toBe(0);
  });

  it('follows the commands, the bot, the voice channels and the problems', () => {
    const events: SimEvent[] = [
      { type: 'commands', commands: COMMANDS.slice(0, 1) },
      { type: 'bot', bot: { ...BOT, connected: false } },
      { type: 'voice', voice: { channelId: LOUNGE.id, participants: [], ingressOpen: true } },
      { type: 'problems', problems: [{ code: 'E_X', message: 'broken' }] },
    ];
    const next = events.reduce(applyEvent, world);
    expect(next.commands).toHaveLength(1);
    expect(next.bots[0]?.connected).toBe(false);
    expect(next.voice.get(LOUNGE.id)?.ingressOpen).toBe(true);
    expect(next.problems).toHaveLength(1);
  });

  it('is the same world after messages, interactions, typing and frames it does not know', () => {
    const unknown = JSON.parse('{"type":"from the future"}') as SimEvent;
    const events: SimEvent[] = [
      { type: 'interaction', interaction: interaction() },
      { type: 'message', message: message(ADA, 'hi') },
      { type: 'typing', channelId: id(1), userId: id(2), forMs: 1 },
      unknown,
    ];
    for (const event of events) expect(applyEvent(world, event)).toBe(world);
  });
});
