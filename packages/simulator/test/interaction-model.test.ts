import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openPlatform, type Platform } from './open-platform.js';
import { runCommand } from './run-command.js';
import { runs } from '../../core/test/fixtures/property-runs.js';

const ANSWER_WINDOW_MS = 3_000;
const DEFERRED_WINDOW_MS = 15 * 60_000;

/** One interaction as plain rules: the response to each call, and the state after it. */
class InteractionModel {
  state: 'waiting' | 'acknowledged' | 'deferred' | 'answered' | 'expired' = 'waiting';
  /** Time left, in milliseconds; `null` if no response is expected. */
  leftMs: number | null = ANSWER_WINDOW_MS;
  isClosed = false;
  hasAnswer = false;
  messages = 0;

  get isGone(): boolean {
    return this.state === 'expired' || this.isClosed;
  }

  call(name: Call): number {
    if (this.isGone) return 404;
    switch (name) {
      case 'ack':
        if (this.state === 'waiting') this.#wait('acknowledged');
        return 200;
      case 'defer':
        if (this.state === 'waiting' || this.state === 'acknowledged') this.#wait('deferred');
        return 200;
      case 'respond':
        if (this.state === 'answered') return 409;
        return this.#answer();
      case 'editResponse':
        if (this.state === 'deferred') return this.#answer();
        return this.hasAnswer ? 200 : 404;
      case 'followUp':
        if (this.state !== 'answered' && this.state !== 'deferred') return 409;
        this.messages += 1;
        return 200;
    }
  }

  advance(ms: number): void {
    if (this.leftMs === null) return;
    this.leftMs -= ms;
    if (this.leftMs > 0) return;
    // The bot chose not to answer: the interaction ends without an event.
    if (this.state !== 'acknowledged') this.state = 'expired';
    this.isClosed = true;
    this.leftMs = null;
  }

  deleteAnswer(): void {
    this.hasAnswer = false;
  }

  #wait(state: 'acknowledged' | 'deferred'): void {
    this.state = state;
    this.leftMs = DEFERRED_WINDOW_MS;
  }

  #answer(): number {
    this.state = 'answered';
    this.leftMs = null;
    this.hasAnswer = true;
    this.messages += 1;
    return 200;
  }
}

type Call = 'ack' | 'defer' | 'respond' | 'editResponse' | 'followUp';
type Step = Call | 'delete the answer' | number;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom<Step>('ack', 'defer', 'respond', 'editResponse', 'followUp'),
  },
  { weight: 1, arbitrary: fc.constant<Step>('delete the answer') },
  { weight: 2, arbitrary: fc.constantFrom<Step>(1, 1_500, 2_999, 3_000, 899_999, 900_000) },
);

async function call(platform: Platform, name: Call, interactionId: string): Promise<number> {
  const hasBody = name !== 'ack' && name !== 'defer';
  const input = hasBody ? { body: { content: name } } : {};
  return (await platform.call(`interactions.${name}`, { interactionId }, input)).status;
}

describe('an interaction, under any calls in any order', () => {
  it('answers each as the rules say, and ends as they say', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const platform = await openPlatform();
      const model = new InteractionModel();
      const before = platform.simulator.messages().length;
      const { id } = await runCommand(platform);
      const seen: unknown[] = [];
      const expected: unknown[] = [];
      for (const each of steps) {
        if (typeof each === 'number') {
          await platform.clock.advance(each);
          model.advance(each);
        } else if (each === 'delete the answer') {
          const answerId = platform.simulator.interaction(id)?.responseMessageId;
          if (typeof answerId !== 'string' || !model.hasAnswer) continue;
          const channelId = platform.channelId('general');
          await platform.call('messages.delete', { channelId, messageId: answerId });
          model.deleteAnswer();
        } else {
          seen.push([each, await call(platform, each, id)]);
          expected.push([each, model.call(each)]);
        }
        const shown = platform.simulator.interaction(id);
        seen.push([each, shown?.state, shown?.expiresAt !== null]);
        const isAwaited = model.leftMs !== null && model.state !== 'acknowledged';
        expected.push([each, model.state, isAwaited]);
      }
      expect(seen).toEqual(expected);
      expect(platform.simulator.messages()).toHaveLength(before + model.messages);
      await platform.simulator.close();
    });
    await fc.assert(property, { numRuns: runs(60), seed: 20 });
  });
});
