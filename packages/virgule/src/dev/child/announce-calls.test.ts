import type { Rest } from '@virgule/client/rest';
import type { Simulator } from '@virgule/simulator';
import { beforeEach, describe, expect, it } from 'vitest';
import { openRestOnSimulator } from '../../../test/rest-on-simulator.js';
import { announceCalls } from './announce-calls.js';

describe('announceCalls', () => {
  let platform: Simulator;
  let rest: Rest;
  beforeEach(async () => {
    ({ platform, rest } = await openRestOnSimulator());
  });

  /** A command, its announced calls, and what was reported. */
  function announced(): { id: string; calls: Rest['interactions']; reported: string[] } {
    const { id } = platform.run({ rawInput: '/x' });
    const reported: string[] = [];
    const { interactions: calls } = announceCalls(rest, {
      called: (called) => void reported.push(called === id ? 'called' : called),
      settled: (settled) => void reported.push(settled === id ? 'settled' : settled),
    });
    return { id, calls, reported };
  }

  it('announces a call before it is made, and when the answer is complete', async () => {
    const { id, calls, reported } = announced();
    await calls.defer(id);
    expect(reported).toEqual(['called']);
    const responding = calls.respond(id, { content: 'hi' });
    expect(reported).toEqual(['called', 'called']);
    await responding;
    expect(reported).toEqual(['called', 'called', 'settled']);
  });

  it('returns what the call returns', async () => {
    const { id, calls } = announced();
    const answer = await calls.respond(id, { content: 'hi' });
    expect(answer.message()).toMatchObject({ content: 'hi' });
    const more = await calls.followUp(id, { content: 'more' });
    expect(more.message()).toMatchObject({ content: 'more' });
  });

  it('does not take a refused answer for one', async () => {
    const { id, calls, reported } = announced();
    await calls.respond(id, { content: 'hi' });
    await expect(calls.respond(id, { content: 'again' })).rejects.toThrow('409');
    expect(reported).toEqual(['called', 'settled', 'called']);
  });
});
