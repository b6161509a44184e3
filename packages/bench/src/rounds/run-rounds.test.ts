import { describe, expect, it } from 'vitest';
import { BOT_NAMES } from '../bots/bench-bot.js';
import { orderOf } from './run-rounds.js';

describe('orderOf', () => {
  it('lets every bot run once a round', () => {
    for (let round = 0; round < 12; round += 1) {
      expect(orderOf(round).toSorted()).toEqual([...BOT_NAMES].toSorted());
    }
  });

  it('puts every bot into every place equally often', () => {
    const places = BOT_NAMES.map(() => new Map<string, number>());
    for (let round = 0; round < 6; round += 1) {
      for (const [place, bot] of orderOf(round).entries()) {
        places[place]?.set(bot, (places[place].get(bot) ?? 0) + 1);
      }
    }
    for (const place of places) expect([...place.values()]).toEqual([2, 2, 2]);
  });
});
