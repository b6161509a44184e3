import { silentLog } from '@virgule/core/log';
import { resolveProfile, type Profile } from '@virgule/core/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interactionId } from '../../test/ids.js';
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

const ALREADY = 'bot_interaction_already_answered';
const PROFILES: readonly (readonly [string, Partial<Profile>])[] = [
  ['the default answers', {}],
  ['409 without a code of its own', { alreadyAnswered: { status: 409, code: '' } }],
  ['400 to a second answer', { alreadyAnswered: { status: 400, code: ALREADY } }],
  ['410 to a second answer', { alreadyAnswered: { status: 410, code: ALREADY } }],
  ['no objection to a second answer', { alreadyAnswered: { status: 200, code: '' } }],
  ['an acknowledgement that does not stop the expiry', { ackStopsExpiry: false }],
  ['410 when it is gone', { interactionGone: { status: 410, code: 'gone' } }],
  [
    '400 when it is gone, 422 when invalid',
    { interactionGone: { status: 400, code: 'too_old' }, validationStatus: 422 },
  ],
];

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

/** What the calls of one interaction did that they may not do, and what they found out. */
function review(calls: ModelPlatform['log'], { alreadyAnswered, interactionGone }: Profile) {
  const isAlready = (learned: string): boolean =>
    learned.startsWith('409 ') || learned === `${alreadyAnswered.status} ${alreadyAnswered.code}`;
  const isGone = (learned: string): boolean =>
    !isAlready(learned) &&
    (/^4(04|10) /.test(learned) || learned === `${interactionGone.status} ${interactionGone.code}`);

  const wrongs: string[] = [];
  let isOpened = false;
  let isAnswered = false;
  let isSettling = false;
  let isOver = false;
  for (const { call, learned } of calls) {
    const must = (holds: boolean, rule: string): void => {
      if (!holds) wrongs.push(`${call}: ${rule}`);
    };
    must(!isOver, 'nothing after the end');
    must(!isSettling || call === 'edit', 'an unknown answer is settled before anything else');
    if (call === 'ack' || call === 'defer') must(!isOpened, 'only while nothing was sent');
    if (call === 'respond') must(!isAnswered, 'only while there is no answer');
    if (call === 'edit') must(isAnswered || isSettling, 'only an answer that may exist');
    if (call === 'followUp') must(isAnswered, 'only after an answer');

    const isDone = learned === 'done';
    if (isSettling) {
      isSettling = false;
      isAnswered = isDone;
      isOver = !isDone;
      continue;
    }
    isSettling = call === 'respond' && learned === 'E_OUTCOME_UNKNOWN';
    if (isDone || isAlready(learned)) {
      isOpened = true;
      isAnswered ||= call !== 'ack' && call !== 'defer';
    }
    if (call === 'defer' && /^5|E_TIMEOUT/.test(learned)) isOpened = true;
    isOver = isGone(learned);
  }
  if (isSettling) wrongs.push('an unknown answer was never settled');
  return { wrongs, isAnswered: isAnswered && !isOver };
}

describe('Interaction, against a platform on which anything may fail', () => {
  it.each(PROFILES)('answers at most once and makes no forbidden call: %s', async (_, answers) => {
    const profile = resolveProfile(answers);
    await fc.assert(
      fc.asyncProperty(moves, fates, async (program, happening) => {
        const platform = createModelPlatform(profile, happening);
        const interaction = await play(program, platform, profile);
        const { wrongs, isAnswered } = review(platform.log, profile);
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
  });

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
