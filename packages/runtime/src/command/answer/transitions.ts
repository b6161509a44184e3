// Which call an interaction makes next, and its state after a call. Pure data and functions; the calls
// themselves are made in interaction.ts, one at a time.
import { isVirguleError } from '@virgule/core/errors';
import type { Profile } from '@virgule/core/protocol';

/**
 * `received`: nothing was sent. `deferred`: the thinking state shows. `acknowledged`: nothing shows.
 * `answered`: the answer exists. `expired`: the platform no longer knows it. `failed`: endpoint 31 was
 * sent, or another process may have answered, and whether an answer exists is not known yet.
 */
export type InteractionState =
  | 'received'
  | 'deferred'
  | 'acknowledged'
  | 'answered'
  | 'expired'
  | 'failed';

/** An action of the handler, or of the framework on its behalf. */
export type Action = 'defer' | 'acknowledge' | 'write' | 'reply';

/** Endpoints 28, 27, 31, 30 and 29. */
export type Call = 'defer' | 'ack' | 'respond' | 'edit' | 'follow-up';

/**
 * The call of an action: `null` if it is done already, `'too-late'` if it is no longer possible. `settle`
 * finds out the outcome of endpoint 31, which is never sent twice.
 */
export type Step = Call | null | 'settle' | 'too-late';

const STEPS: Readonly<Record<InteractionState, Readonly<Record<Action, Step>>>> = {
  received: { defer: 'defer', acknowledge: 'ack', write: 'respond', reply: 'respond' },
  deferred: { defer: null, acknowledge: null, write: 'respond', reply: 'respond' },
  acknowledged: { defer: null, acknowledge: null, write: 'respond', reply: 'respond' },
  answered: { defer: null, acknowledge: null, write: 'edit', reply: 'follow-up' },
  expired: { defer: null, acknowledge: null, write: 'too-late', reply: 'too-late' },
  failed: { defer: null, acknowledge: null, write: 'settle', reply: 'settle' },
};

/** Returns the call of an action in a state. */
export function nextStep(state: InteractionState, action: Action): Step {
  return STEPS[state][action];
}

/** The outcome of a call. `limited` and `unsent`: it was provably not processed, and can be repeated. */
export type Outcome = 'done' | 'gone' | 'already' | 'unknown' | 'limited' | 'unsent' | 'refused';

const AFTER: Readonly<Record<Call, InteractionState>> = {
  defer: 'deferred',
  ack: 'acknowledged',
  respond: 'answered',
  edit: 'answered',
  'follow-up': 'answered',
};

/** Returns the state after a call. */
export function stateAfter(
  state: InteractionState,
  call: Call,
  outcome: Outcome,
): InteractionState {
  // It changes nothing then.
  if (state === 'answered' && call === 'defer') return state;
  // An answer may have been deleted: only a follow-up shows that the interaction is gone.
  if (outcome === 'gone') return state === 'answered' && call === 'edit' ? state : 'expired';
  // Only a successful edit settles it; a thinking state is replaced by endpoint 30 alone.
  if (state === 'failed') return outcome === 'done' && call === 'edit' ? 'answered' : 'failed';
  if (outcome === 'done' || outcome === 'already') return AFTER[call];
  if (outcome === 'unknown' && call === 'respond') return 'failed';
  // The thinking state may show. It is assumed to, so that it is replaced in any case.
  if (outcome === 'unknown' && call === 'defer') return 'deferred';
  return state;
}

/** Returns the outcome of a call from its error. */
export function outcomeOf(error: unknown, profile: Profile): Outcome {
  if (!isVirguleError(error)) return 'refused';
  const { status, apiCode, maybeSent } = error.details;
  switch (error.code) {
    case 'E_RATE_LIMITED':
      // An earlier try of the same call may have arrived.
      return maybeSent ? 'unknown' : 'limited';
    case 'E_UNREACHABLE':
      return 'unsent';
    case 'E_TIMEOUT':
    case 'E_OVERLOADED':
    case 'E_ABORTED':
      return maybeSent ? 'unknown' : 'unsent';
    case 'E_OUTCOME_UNKNOWN':
      return 'unknown';
    case 'E_API_REFUSED':
      // A status of 5xx does not show whether the call took effect.
      if (typeof status === 'number' && status >= 500) return 'unknown';
      if (apiCode === profile.refusals.alreadyAnswered.code || status === 409) return 'already';
      if (apiCode === profile.refusals.interactionGone.code || status === 404 || status === 410)
        return 'gone';
      return 'refused';
    default:
      return 'refused';
  }
}

/**
 * Returns whether an edit was refused because there is nothing to edit, or no interaction: most platforms
 * use one status for both, and only a defer distinguishes them.
 */
export function saysNothingThere(error: unknown, profile: Profile): boolean {
  const outcome = outcomeOf(error, profile);
  if (outcome === 'gone' || outcome === 'already') return true;
  return (
    outcome === 'refused' &&
    isVirguleError(error) &&
    error.details['apiCode'] === profile.refusals.nothingToEdit.code
  );
}
