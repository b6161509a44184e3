import type { Profile, ProfileSettings } from '@virgule/core/protocol';
import type { ModelPlatform } from './model-platform.js';

const ALREADY = 'bot_interaction_already_answered';
/** The answers of a platform that the bot has to get along with. */
export const MODEL_PROFILES: readonly (readonly [string, ProfileSettings])[] = [
  ['the default answers', {}],
  ['409 without a code of its own', { refusals: { alreadyAnswered: { status: 409, code: '' } } }],
  ['400 to a second answer', { refusals: { alreadyAnswered: { status: 400, code: ALREADY } } }],
  ['410 to a second answer', { refusals: { alreadyAnswered: { status: 410, code: ALREADY } } }],
  ['no objection to a second answer', { refusals: { alreadyAnswered: { status: 200, code: '' } } }],
  ['an acknowledgement that does not stop the expiry', { ackStopsExpiry: false }],
  ['410 when it is gone', { refusals: { interactionGone: { status: 410, code: 'gone' } } }],
  [
    '400 when it is gone, 422 when invalid',
    { refusals: { interactionGone: { status: 400, code: 'too_old' }, validationStatus: 422 } },
  ],
];

/** Reviews the calls of one interaction: returns forbidden actions and findings. */
export function reviewCalls(
  calls: ModelPlatform['log'],
  { refusals: { alreadyAnswered, nothingToEdit } }: Profile,
) {
  const isAlready = (learned: string): boolean =>
    learned === '409 ' || learned === `${alreadyAnswered.status} ${alreadyAnswered.code}`;
  const isGone = (learned: string): boolean => !isAlready(learned) && /^4(04|10) /.test(learned);

  const findsNothing = (learned: string): boolean =>
    isGone(learned) ||
    isAlready(learned) ||
    learned.startsWith('409 ') ||
    learned.endsWith(` ${nothingToEdit.code}`);

  const wrongs: string[] = [];
  let isOpened = false;
  let isDeferDoubtful = false;
  let isAnswered = false;
  /** Set from an answer with an unknown outcome until an edit finds it. */
  let settling: { edits: number; isEmpty: boolean; isReopened: boolean } | undefined;
  let isOver = false;
  for (const { call, learned } of calls) {
    const must = (holds: boolean, rule: string): void => {
      if (!holds) wrongs.push(`${call}: ${rule}`);
    };
    const isDone = learned === 'done';
    must(!isOver, 'nothing after the end');
    if (settling) {
      must(
        call === 'edit' || (call === 'defer' && settling.isEmpty),
        'an unknown answer is settled by edits, and by a defer where there is nothing to edit',
      );
      if (call === 'edit') {
        settling.edits += 1;
        settling.isEmpty = !settling.isReopened && findsNothing(learned);
        isOver = settling.isReopened && isGone(learned);
        isAnswered = isDone;
        if (isDone) settling = undefined;
      } else {
        settling.isEmpty = false;
        settling.isReopened ||= isDone || isAlready(learned);
        isOver = isGone(learned);
      }
      continue;
    }
    if (call === 'ack') must(!isOpened, 'only while nothing was sent');
    if (call === 'defer') must(!isOpened || isDeferDoubtful, 'only while nothing was sent');
    if (call === 'respond') must(!isAnswered, 'only while there is no answer');
    if (call === 'edit') must(isAnswered, 'only an answer that may exist');
    if (call === 'followUp') must(isAnswered, 'only after an answer');

    if (call === 'respond' && learned === 'E_OUTCOME_UNKNOWN')
      settling = { edits: 0, isEmpty: false, isReopened: false };
    if (isDone || isAlready(learned)) {
      isOpened = true;
      isAnswered ||= call !== 'ack' && call !== 'defer';
      if (call === 'defer') isDeferDoubtful = false;
    }
    if (call === 'defer' && /^5|E_TIMEOUT/.test(learned)) isOpened = isDeferDoubtful = true;
    isOver = isGone(learned);
  }
  if (settling?.edits === 0) wrongs.push('an unknown answer was never settled');
  return { wrongs, isAnswered: isAnswered && !isOver };
}
