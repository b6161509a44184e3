import type { Rest } from '@virgule/client/rest';
import type { Simulator } from '@virgule/simulator';
import { beforeEach, describe, expect, it } from 'vitest';
import { openRestOnSimulator } from '../../../test/rest-on-simulator.js';
import { until } from '../../../test/until.js';
import { trackCalls, type TrackedCallsOptions } from './tracked-calls.js';

describe('trackCalls', () => {
  let platform: Simulator;
  let rest: Rest;
  beforeEach(async () => {
    ({ platform, rest } = await openRestOnSimulator());
  });

  const track = (progressed: TrackedCallsOptions['progressed'] = () => {}) =>
    trackCalls(rest.interactions, { silentText: 'Done.', progressed });

  /** A command, its calls, and what was reported. */
  function announced(): { id: string; calls: Rest['interactions']; reported: string[] } {
    const { id } = platform.run({ rawInput: '/x' });
    const reported: string[] = [];
    const { interactions: calls } = track(
      (interactionId, progress) =>
        void reported.push(interactionId === id ? progress : interactionId),
    );
    return { id, calls, reported };
  }

  /** A command whose thinking state is shown, and calls that know it. */
  async function deferred(): Promise<{ id: string; calls: Rest['interactions'] }> {
    const { id } = platform.run({ rawInput: '/x' });
    await rest.interactions.defer(id);
    const tracked = track();
    tracked.deferred(id);
    return { id, calls: tracked.interactions };
  }
  const said = (id: string) =>
    platform
      .messages()
      .filter(({ interactionId }) => interactionId === id)
      .map(({ content }) => content);

  it('ends the thinking state with a text when the bot chooses silence', async () => {
    const { id, calls } = await deferred();
    await calls.ack(id);
    await calls.ack(id);
    expect(said(id)).toEqual(['Done.']);
    expect(platform.interaction(id)?.state).toBe('answered');
  });

  it('does so as well when the bot chose silence a moment before it is known', async () => {
    const { id } = platform.run({ rawInput: '/x' });
    const filled = track();
    await rest.interactions.defer(id);
    await filled.interactions.ack(id).catch(() => {});
    filled.deferred(id);
    await until(() => expect(said(id)).toEqual(['Done.']));
  });

  it('puts the answer in its place that comes after all', async () => {
    const { id, calls } = await deferred();
    await calls.ack(id);
    await calls.respond(id, { content: 'the answer' });
    expect(said(id)).toEqual(['the answer']);
  });

  it('returns the response to an answer, whatever carries it', async () => {
    const { id, calls } = await deferred();
    const other = platform.run({ rawInput: '/x' }).id;
    const plain = await calls.respond(other, { content: 'plain' });
    expect(plain.message()).toMatchObject({ content: 'plain' });
    await calls.ack(id);
    const late = await calls.respond(id, { content: 'late' });
    expect(late.message()).toMatchObject({ content: 'late' });
  });

  it('sends an answer without text, or with files, as a message of its own', async () => {
    const { id, calls } = await deferred();
    await calls.ack(id);
    const { channelId } = platform.interaction(id) ?? { channelId: '' };
    await calls.respond(id, {
      content: 'with a file',
      files: [{ name: 'a.txt', data: Buffer.from('a') }],
      channelId,
    });
    expect(said(id)).toEqual(['Done.', 'with a file']);
  });

  it('leaves every other interaction as it is', async () => {
    const { calls } = await deferred();
    const { id } = platform.run({ rawInput: '/x' });
    await calls.ack(id);
    expect([platform.interaction(id)?.state, said(id)]).toEqual(['acknowledged', []]);
    await calls.respond(id, { content: 'hi' });
    expect(said(id)).toEqual(['hi']);
  });

  it('announces a call before it is made, and when the answer is complete', async () => {
    const { id, calls, reported } = announced();
    await calls.defer(id);
    expect(reported).toEqual(['open']);
    const responding = calls.respond(id, { content: 'hi' });
    expect(reported).toEqual(['open', 'open']);
    await responding;
    expect(reported).toEqual(['open', 'open', 'done']);
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
    expect(reported).toEqual(['open', 'done', 'open']);
  });
});
