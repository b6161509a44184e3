import { createFakeClock } from '@virgule/core/clock';
import { resolveProfile, type Profile } from '@virgule/core/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MODEL_PROFILES, reviewCalls } from '../../../test/model-rules.js';
import { openInteraction } from '../../../test/open-interaction.js';
import {
  createModelPlatform,
  type Fate,
  type ModelPlatform,
} from '../../../test/model-platform.js';
import type { Interaction } from './interaction.js';
import { runs } from '../../../../core/test/fixtures/property-runs.js';

/** Steps of a handler and of the framework, in any order and without awaiting each other. */
type Move =
  | { readonly do: 'write' | 'reply' | 'defer' | 'acknowledge' }
  | { readonly do: 'wait for all' }
  | { readonly do: 'pass the window' };

const moves = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('write' as const, 'reply' as const) },
    { weight: 3, arbitrary: fc.constantFrom('defer' as const, 'acknowledge' as const) },
    { weight: 3, arbitrary: fc.constant('wait for all' as const) },
    { weight: 1, arbitrary: fc.constant('pass the window' as const) },
  ),
  { maxLength: 14 },
);

const fates = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<Fate>('arrives') },
    {
      weight: 4,
      arbitrary: fc.constantFrom<Fate>('lost', 'answer lost', 'not sent', 'invalid'),
    },
  ),
  { maxLength: 16 },
);

async function play(
  program: readonly Move['do'][],
  platform: ModelPlatform,
  profile: Profile,
): Promise<Interaction> {
  const clock = createFakeClock();
  const { interaction } = openInteraction(platform.calls, clock, {
    // Nothing is given up because of time: this model has none.
    profile: { ...profile, answerWindowMs: Infinity, deferredWindowMs: Infinity },
  });
  const waitForAll = async (): Promise<void> => {
    let isDone = false;
    void Promise.allSettled(pending).then(() => (isDone = true));
    while (!isDone) await clock.advance(10_000);
  };
  let pending: Promise<unknown>[] = [];
  for (const move of program) {
    if (move === 'wait for all') {
      await waitForAll();
      pending = [];
    } else if (move === 'pass the window') {
      platform.passWindow();
    } else if (move === 'write' || move === 'reply') {
      pending.push(interaction[move]({ content: 'text' }));
    } else {
      pending.push(interaction[move]());
    }
  }
  await waitForAll();
  await interaction.messages.idle();
  interaction.end();
  return interaction;
}

describe('Interaction, against a platform on which anything may fail', () => {
  it.each(MODEL_PROFILES)(
    'answers at most once and makes no forbidden call: %s',
    async (_, answers) => {
      const profile = resolveProfile(answers);
      await fc.assert(
        fc.asyncProperty(moves, fates, async (program, happening) => {
          const platform = createModelPlatform(profile, happening);
          const interaction = await play(program, platform, profile);
          const { wrongs, isAnswered } = reviewCalls(platform.log, profile);
          expect(wrongs).toEqual([]);
          expect(platform.answers).toBeLessThanOrEqual(1);
          expect(platform.overlap).toBeLessThanOrEqual(1);
          expect(interaction.state === 'answered').toBe(isAnswered);
          // The state is right, unless the platform answers 200 to an edit of nothing.
          const mayErr = profile.refusals.alreadyAnswered.status === 200;
          expect(!isAnswered || mayErr || platform.answers === 1).toBe(true);
        }),
        { numRuns: runs(120) },
      );
    },
  );

  it.each(MODEL_PROFILES)(
    'answers in the end when its window stays open: %s',
    async (_, answers) => {
      const profile = resolveProfile(answers);
      const open = moves.map((program) => program.filter((move) => move !== 'pass the window'));
      const passing = fates.map((all) => all.filter((fate) => fate !== 'invalid'));
      await fc.assert(
        fc.asyncProperty(open, passing, async (program, happening) => {
          const platform = createModelPlatform(profile, happening);
          const interaction = await play([...program, 'write'], platform, profile);
          expect([interaction.state, platform.shown, platform.answers]).toEqual([
            'answered',
            'answer',
            1,
          ]);
        }),
        { numRuns: runs(120) },
      );
    },
  );

  it('always answers when nothing fails and it is in time', async () => {
    const profile = resolveProfile();
    const inTime = moves.map((program) => program.filter((move) => move !== 'pass the window'));
    await fc.assert(
      fc.asyncProperty(inTime, async (program) => {
        const platform = createModelPlatform(profile, []);
        const interaction = await play([...program, 'write'], platform, profile);
        expect([interaction.state, platform.answers]).toEqual(['answered', 1]);
        expect(platform.log.every(({ learned }) => learned === 'done')).toBe(true);
        // Everything that was replied after the answer has arrived too.
        const replies = platform.log.filter(({ call }) => call === 'followUp');
        expect(platform.followUps).toBe(replies.length);
      }),
      { numRuns: runs(60) },
    );
  });
});
