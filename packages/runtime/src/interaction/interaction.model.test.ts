import { silentLog } from '@virgule/core/log';
import { resolveProfile, type Profile } from '@virgule/core/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interactionId } from '../../test/ids.js';
import { MODEL_PROFILES, reviewCalls } from '../../test/model-rules.js';
import { createModelPlatform, type Fate, type ModelPlatform } from '../../test/model-platform.js';
import { Interaction } from './interaction.js';

/** What a handler and the framework may do, in any order and without waiting for one another. */
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
  const interaction = new Interaction({
    id: interactionId(1),
    commandName: 'x',
    calls: platform.calls,
    profile,
    log: silentLog,
  });
  let pending: Promise<unknown>[] = [];
  for (const move of program) {
    if (move === 'wait for all') {
      await Promise.allSettled(pending);
      pending = [];
    } else if (move === 'pass the window') {
      platform.passWindow();
    } else if (move === 'write' || move === 'reply') {
      pending.push(interaction[move]({ content: 'text' }));
    } else {
      pending.push(interaction[move]());
    }
  }
  await Promise.allSettled(pending);
  await interaction.idle();
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
          // What it believes is so, unless the platform says 200 to an edit of nothing.
          const mayErr = profile.alreadyAnswered.status === 200;
          expect(!isAnswered || mayErr || platform.answers === 1).toBe(true);
        }),
        { numRuns: 120 },
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
      { numRuns: 60 },
    );
  });
});
