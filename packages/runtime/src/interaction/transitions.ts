// What may be sent for an interaction, and what is known after it. Pure data and functions; the
// calls themselves are made in interaction.ts, one at a time.
import { isVirguleError } from '@virgule/core/errors';
import type { Profile } from '@virgule/core/protocol';

/**
 * `received`: nothing was sent. `deferred`: the thinking state shows. `acknowledged`: nothing shows.
 * `answered`: the answer exists. `expired`: the platform no longer knows it. `failed`: whether an
 * answer exists could not be found out.
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

/** The call that fulfils a wish, `null` when it is fulfilled already, `'too late'` when it cannot be. */
export type Step = Call | null | 'too late';

const STEPS: Readonly<Record<InteractionState, Readonly<Record<Wish, Step>>>> = {
  received: { defer: 'defer', acknowledge: 'ack', 'write answer': 'respond', reply: 'respond' },
  deferred: { defer: null, acknowledge: null, 'write answer': 'respond', reply: 'respond' },
  acknowledged: { defer: null, acknowledge: null, 'write answer': 'respond', reply: 'respond' },
  answered: { defer: null, acknowledge: null, 'write answer': 'edit', reply: 'follow up' },
  expired: { defer: null, acknowledge: null, 'write answer': 'too late', reply: 'too late' },
  failed: { defer: null, acknowledge: null, 'write answer': 'too late', reply: 'too late' },
};

export function nextStep(state: InteractionState, wish: Wish): Step {
  return STEPS[state][wish];
}

/** What came of a call. */
export type Outcome = 'done' | 'gone' | 'already' | 'unknown' | 'refused';

const AFTER: Readonly<Record<Call, InteractionState>> = {
  defer: 'deferred',
  ack: 'acknowledged',
  respond: 'answered',
  edit: 'answered',
  'follow up': 'answered',
};

/** The state after a call. An unknown outcome of `respond` is settled before this is asked. */
export function stateAfter(
  state: InteractionState,
  call: Call,
  outcome: Outcome,
): InteractionState {
  if (outcome === 'done' || outcome === 'already') return AFTER[call];
  if (outcome === 'gone') return 'expired';
  // The thinking state may show: taken for granted, it is filled in whatever comes of the command.
  if (outcome === 'unknown' && call === 'defer') return 'deferred';
  return state;
}

/** Reads the outcome of a call from the error it ended with. */
export function outcomeOf(error: unknown, profile: Profile): Outcome {
  if (isVirguleError(error, 'E_OUTCOME_UNKNOWN')) return 'unknown';
  if (isVirguleError(error, 'E_TIMEOUT')) return error.details['maybeSent'] ? 'unknown' : 'refused';
  if (!isVirguleError(error, 'E_API_REFUSED')) return 'refused';
  const { status, apiCode } = error.details;
  // An answer of 5xx does not say whether the call took effect.
  if (typeof status === 'number' && status >= 500) return 'unknown';
  if (apiCode === profile.alreadyAnswered.code || status === 409) return 'already';
  if (apiCode === profile.interactionGone.code || status === 404 || status === 410) return 'gone';
  return 'refused';
}
