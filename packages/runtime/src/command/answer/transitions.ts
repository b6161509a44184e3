// State machine of an interaction: the next call in each state, and the state after each call. Pure data and
// functions; interaction.ts makes the calls, one at a time.
import { isVirguleError } from '@virgule/core/errors';
import { isAlreadyAnswered, type Profile } from '@virgule/core/protocol';

/**
 * State of an interaction. `received`: nothing was sent. `deferred`: the thinking state is visible. `acknowledged`:
 * nothing is visible. `answered`: the answer exists. `expired`: the platform no longer knows the interaction.
 * `failed`: endpoint 31 was sent or another process may have answered, and it is unknown whether an answer exists.
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

/** Calls of an interaction: endpoints 28, 27, 31, 30 and 29. */
export type Call = 'defer' | 'ack' | 'respond' | 'edit' | 'follow-up';

/**
 * Call for an action: `null` if the action is done already, `'too-late'` if the action is no longer possible.
 * `settle` finds out the outcome of endpoint 31, which is never sent twice.
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

/** Outcome of a call. `limited` and `unsent`: the platform provably did not process the call, so it can be repeated. */
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
  // A defer changes nothing after the answer.
  if (state === 'answered' && call === 'defer') return state;
  // An answer may have been deleted: only a follow-up shows that the interaction is gone.
  if (outcome === 'gone') return state === 'answered' && call === 'edit' ? state : 'expired';
  // Only a successful edit settles the outcome; only endpoint 30 replaces a thinking state.
  if (state === 'failed') return outcome === 'done' && call === 'edit' ? 'answered' : 'failed';
  if (outcome === 'done' || outcome === 'already') return AFTER[call];
  if (outcome === 'unknown' && call === 'respond') return 'failed';
  // The thinking state may be visible. The bot assumes that it is, so that the answer replaces it in any case.
  if (outcome === 'unknown' && call === 'defer') return 'deferred';
  return state;
}

/** Returns the outcome of a call from its error. */
export function outcomeOf(error: unknown, profile: Profile): Outcome {
  if (!isVirguleError(error)) return 'refused';
  const { status, apiCode, maybeSent } = error.details;
  switch (error.code) {
    case 'E_RATE_LIMITED':
      // An earlier attempt of the same call may have arrived.
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
      if (isAlreadyAnswered(profile, error.details)) return 'already';
      if (apiCode === profile.refusals.interactionGone.code || status === 404 || status === 410)
        return 'gone';
      return 'refused';
    default:
      return 'refused';
  }
}

/**
 * Returns whether an edit was refused because there is nothing to edit, or because the interaction is gone: most
 * platforms use one status for both, and only a defer distinguishes the two cases.
 */
export function saysNothingThere(error: unknown, profile: Profile): boolean {
  const outcome = outcomeOf(error, profile);
  if (outcome === 'gone' || outcome === 'already') return true;
  if (outcome !== 'refused' || !isVirguleError(error)) return false;
  // A conflict may have a code that no profile lists: then the defer shows whether the interaction is still open.
  const { status, apiCode } = error.details;
  return status === 409 || apiCode === profile.refusals.nothingToEdit.code;
}
