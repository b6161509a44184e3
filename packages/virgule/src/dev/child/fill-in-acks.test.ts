import type { Rest } from '@virgule/client/rest';
import type { Simulator } from '@virgule/simulator';
import { beforeEach, describe, expect, it } from 'vitest';
import { openRestOnSimulator } from '../../../test/rest-on-simulator.js';
import { until } from '../../../test/until.js';
import { fillInAcks } from './fill-in-acks.js';

describe('fillInAcks', () => {
  let platform: Simulator;
  let rest: Rest;
  beforeEach(async () => {
    ({ platform, rest } = await openRestOnSimulator());
  });

  /** A command whose thinking state is shown, and calls that know it. */
  async function deferred(): Promise<{ id: string; calls: Rest['interactions'] }> {
    const { id } = platform.run({ rawInput: '/x' });
    await rest.interactions.defer(id);
    const filled = fillInAcks(rest.interactions, 'Done.');
    filled.deferred(id);
    return { id, calls: filled.interactions };
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
    const filled = fillInAcks(rest.interactions, 'Done.');
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
});
