import { describe, expect, it } from 'vitest';
import { ADA, id, interaction, message, snapshot } from '../../test/sample-world.js';
import { interactionsAfter } from './interactions.js';

const known = interactionsAfter(new Map(), { type: 'snapshot', snapshot: snapshot() });

describe('interactionsAfter', () => {
  it('has those of the snapshot, and forgets what a new one does not have', () => {
    expect([...known.keys()]).toEqual(snapshot().interactions.map((item) => item.id));
    const empty = snapshot({ interactions: [] });
    expect(interactionsAfter(known, { type: 'snapshot', snapshot: empty }).size).toBe(0);
  });

  it('has the latest state of each interaction', () => {
    const run = interaction();
    const expired = { ...run, state: 'expired', wasDeferred: true } as const;
    const next = [run, expired].reduce(
      (all, item) => interactionsAfter(all, { type: 'interaction', interaction: item }),
      known,
    );
    expect(next.get(run.id)).toBe(expired);
    expect(next.size).toBe(known.size + 1);
  });

  it('keeps at most 400, the newest ones', () => {
    let next = known;
    for (let index = 0; index < 405; index += 1) {
      const item = interaction({ id: id(5000 + index) });
      next = interactionsAfter(next, { type: 'interaction', interaction: item });
    }
    expect(next.size).toBe(400);
    expect(next.has(id(5404))).toBe(true);
    expect(next.has(id(900))).toBe(false);
  });

  it('is the same map after other frames', () => {
    expect(interactionsAfter(known, { type: 'message', message: message(ADA, 'hi') })).toBe(known);
  });
});
