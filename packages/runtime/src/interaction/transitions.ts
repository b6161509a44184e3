// What may be sent for an interaction, and what is known after it. Pure data and functions; the
// calls themselves are made in interaction.ts, one at a time.
import { isVirguleError } from '@virgule/core/errors';
import type { Profile } from '@virgule/core/protocol';

/**
 * `received`: nothing was sent. `deferred`: the thinking state shows. `acknowledged`: nothing shows.
 * `answered`: the answer exists. `expired`: the platform no longer knows it. `failed`: endpoint 31 was
 * sent, and whether an answer exists is not known yet.
 */
export type InteractionState =
  | 'received'
  | 'deferred'
  | 'acknowledged'
  | 'answered'
  | 'expired'
  | 'failed';

/** What the handler, or the framework on its behalf, wants. */
export type Wish = 'defer' | 'acknowledge' | 'write answer' | 'reply';

/** Endpoints 28, 27, 31, 30 and 29. */
export type Call = 'defer' | 'ack' | 'respond' | 'edit' | 'follow up';

/**
 * The call that fulfils a wish, `null` when it is fulfilled already, `'too late'` when it cannot be.
 * `settle` finds out what became of endpoint 31, which is never sent twice.
 */
export type Step = Call | null | 'settle' | 'too late';

const STEPS: Readonly<Record<InteractionState, Readonly<Record<Wish, Step>>>> = {
  received: { defer: 'defer', acknowledge: 'ack', 'write answer': 'respond', reply: 'respond' },
  deferred: { defer: null, acknowledge: null, 'write answer': 'respond', reply: 'respond' },
  acknowledged: { defer: null, acknowledge: null, 'write answer': 'respond', reply: 'respond' },
  answered: { defer: null, acknowledge: null, 'write answer': 'edit', reply: 'follow up' },
  expired: { defer: null, acknowledge: null, 'write answer': 'too late', reply: 'too late' },
  failed: { defer: null, acknowledge: null, 'write answer': 'settle', reply: 'settle' },
};

export function nextStep(state: InteractionState, wish: Wish): Step {
  return STEPS[state][wish];
}

/**
 * What came of a call. `limited` and `unsent`: it was provably not processed, and may be made again.
 */
export type Outcome = 'done' | 'gone' | 'already' | 'unknown' | 'limited' | 'unsent' | 'refused';

const AFTER: Readonly<Record<Call, InteractionState>> = {
  defer: 'deferred',
  ack: 'acknowledged',
  respond: 'answered',
  edit: 'answered',
  'follow up': 'answered',
};

/** The state after a call. */
export function stateAfter(
  state: InteractionState,
  call: Call,
  outcome: Outcome,
): InteractionState {
  if (outcome === 'gone') return 'expired';
  // Only an answer that was seen settles it; what shows meanwhile is filled in by endpoint 30 alone.
  if (state === 'failed') return outcome === 'done' && call === 'edit' ? 'answered' : 'failed';
  if (outcome === 'done' || outcome === 'already') return AFTER[call];
  if (outcome === 'unknown' && call === 'respond') return 'failed';
  // The thinking state may show: taken for granted, it is filled in whatever comes of the command.
  if (outcome === 'unknown' && call === 'defer') return 'deferred';
  return state;
}

/** Reads the outcome of a call from the error it ended with. */
export function outcomeOf(error: unknown, profile: Profile): Outcome {
  if (!isVirguleError(error)) return 'refused';
  const { status, apiCode, maybeSent } = error.details;
  switch (error.code) {
    case 'E_RATE_LIMITED':
      return 'limited';
    case 'E_UNREACHABLE':
      return 'unsent';
    case 'E_TIMEOUT':
    case 'E_OVERLOADED':
    case 'E_ABORTED':
      return maybeSent ? 'unknown' : 'unsent';
    case 'E_OUTCOME_UNKNOWN':
      return 'unknown';
    case 'E_API_REFUSED':
      // An answer of 5xx does not say whether the call took effect.
      if (typeof status === 'number' && status >= 500) return 'unknown';
      if (apiCode === profile.alreadyAnswered.code || status === 409) return 'already';
      if (apiCode === profile.interactionGone.code || status === 404 || status === 410)
        return 'gone';
      return 'refused';
    default:
      return 'refused';
  }
}

/**
 * Whether an edit was refused because there is nothing to edit, or nothing at all: the two have one
 * status on most platforms, and only a defer distinguishes them.
 */
export function saysNothingThere(error: unknown, profile: Profile): boolean {
  const outcome = outcomeOf(error, profile);
  if (outcome === 'gone' || outcome === 'already') return true;
  return (
    outcome === 'refused' &&
    isVirguleError(error) &&
    error.details['apiCode'] === profile.nothingToEdit.code
  );
}
