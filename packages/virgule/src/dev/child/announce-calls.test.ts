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

  /** A command, the calls that are told, and what was told. */
  function announced(): { id: string; calls: Rest['interactions']; told: string[] } {
    const { id } = platform.run({ rawInput: '/x' });
    const told: string[] = [];
    const { interactions: calls } = announceCalls(rest, {
      called: (called) => void told.push(called === id ? 'called' : called),
      settled: (settled) => void told.push(settled === id ? 'settled' : settled),
    });
    return { id, calls, told };
  }

  it('tells of a call before it is made, and when nothing is owed any more', async () => {
    const { id, calls, told } = announced();
    await calls.defer(id);
    expect(told).toEqual(['called']);
    const responding = calls.respond(id, { content: 'hi' });
    expect(told).toEqual(['called', 'called']);
    await responding;
    expect(told).toEqual(['called', 'called', 'settled']);
  });

  it('returns what the call returns', async () => {
    const { id, calls } = announced();
    const answer = await calls.respond(id, { content: 'hi' });
    expect(answer.message()).toMatchObject({ content: 'hi' });
    const more = await calls.followUp(id, { content: 'more' });
    expect(more.message()).toMatchObject({ content: 'more' });
  });

  it('does not take a refused answer for one', async () => {
    const { id, calls, told } = announced();
    await calls.respond(id, { content: 'hi' });
    await expect(calls.respond(id, { content: 'again' })).rejects.toThrow('409');
    expect(told).toEqual(['called', 'settled', 'called']);
  });
});
