// State machine of an interaction: the next call in each state, what is known after each call, and deadlines. Pure data and
// functions; interaction.ts makes the calls, one at a time.
import { isVirguleError } from '@virgule/core/errors';
import { isAlreadyAnswered, isRefusal, type Profile } from '@virgule/core/protocol';

/**
 * State of an interaction. `received`: nothing was sent. `deferred`: the thinking state is visible. `acknowledged`: nothing is
 * visible. `answered`: the answer exists. `expired`: the platform no longer knows the interaction. `failed`: endpoint 31 was
 * sent, and it is unknown whether an answer exists. `shared`: another process may have answered. `reopened`: a defer was
 * accepted after that, so a thinking state or an answer exists.
 */
export type InteractionState =
  | 'received'
  | 'deferred'
  | 'acknowledged'
  | 'answered'
  | 'expired'
  | 'failed'
  | 'shared'
  | 'reopened';

/** Knowledge about an interaction from its calls so far. */
export interface Progress {
  readonly state: InteractionState;
  /** `true` from the first answer on, also after its end. */
  readonly hasAnswer: boolean;
  /** `yes` after an accepted call; `maybe` after an opening call with an unknown outcome, also of another process. */
  readonly opened: 'no' | 'maybe' | 'yes';
  /** Time of the first accepted defer: a reading of `Clock.monotonic()`. */
  readonly deferredAtMs: number | undefined;
}

const RECEIVED: Progress = {
  state: 'received',
  hasAnswer: false,
  opened: 'no',
  deferredAtMs: undefined,
};

/** Returns what is known before the first call. `state`: state in which another process left the interaction, if any. */
export function progressFrom(state: InteractionState | undefined): Progress {
  if (!state) return RECEIVED;
  const opened = state === 'deferred' || state === 'shared' ? 'maybe' : 'yes';
  return { ...RECEIVED, state, hasAnswer: state === 'answered', opened };
}

/** An action of the handler, or of the framework on its behalf. */
export type Action = 'defer' | 'acknowledge' | 'write' | 'reply';

/** Calls of an interaction: endpoints 28, 27, 31, 30 and 29. */
export type Call = 'defer' | 'ack' | 'respond' | 'edit' | 'follow-up';

/** Call for an action: `null` if it is done already. `settle` finds out the outcome of endpoint 31, which is never sent twice. */
export type Step = Call | null | 'settle' | 'too-late';

const STEPS: Readonly<Record<InteractionState, Readonly<Record<Action, Step>>>> = {
  received: { defer: 'defer', acknowledge: 'ack', write: 'respond', reply: 'respond' },
  deferred: { defer: null, acknowledge: null, write: 'respond', reply: 'respond' },
  acknowledged: { defer: null, acknowledge: null, write: 'respond', reply: 'respond' },
  answered: { defer: null, acknowledge: null, write: 'edit', reply: 'follow-up' },
  expired: { defer: null, acknowledge: null, write: 'too-late', reply: 'too-late' },
  failed: { defer: null, acknowledge: null, write: 'settle', reply: 'settle' },
  shared: { defer: null, acknowledge: null, write: 'settle', reply: 'settle' },
  reopened: { defer: null, acknowledge: null, write: 'edit', reply: 'edit' },
};

/** Returns the call of an action. A call that opens the interaction is repeated while its earlier outcome is unknown. */
export function nextStep({ state, opened }: Progress, action: Action): Step {
  const isAgain = state === 'shared' || (action === 'defer' && state === 'deferred');
  const isOpening = action === 'defer' || action === 'acknowledge';
  return STEPS[isOpening && isAgain && opened === 'maybe' ? 'received' : state][action];
}

/** Outcome of a call. `limited` and `unsent`: the platform provably did not process the call, so it can be repeated. */
export type Outcome = 'done' | 'gone' | 'already' | 'unknown' | 'limited' | 'unsent' | 'refused';

/** States after calls that write no message. */
const AFTER: Partial<Record<Call, InteractionState>> = { defer: 'deferred', ack: 'acknowledged' };

/** Calls that open an interaction. */
const OPENS: ReadonlySet<Call> = new Set<Call>(['ack', 'defer', 'respond']);

/** Returns what is known after a call that was settled at `nowMs`, a reading of `Clock.monotonic()`. */
export function progressAfter(
  before: Progress,
  call: Call,
  outcome: Outcome,
  nowMs: number,
): Progress {
  const state = stateAfter(before.state, call, outcome);
  const isAccepted = outcome === 'done' || (outcome === 'already' && OPENS.has(call));
  const mayBeOpened = before.opened === 'maybe' || (outcome === 'unknown' && OPENS.has(call));
  const isDeferred = call === 'defer' && isAccepted;
  return {
    state,
    hasAnswer: before.hasAnswer || state === 'answered',
    opened: isAccepted || before.opened === 'yes' ? 'yes' : mayBeOpened ? 'maybe' : 'no',
    deferredAtMs: before.deferredAtMs ?? (isDeferred ? nowMs : undefined),
  };
}

/** Returns whether a refused edit leaves an interaction open: only a defer shows whether it is gone. */
export const isSettling = (state: InteractionState, call: Call): boolean =>
  call === 'edit' && (state === 'failed' || state === 'shared');

function stateAfter(state: InteractionState, call: Call, outcome: Outcome): InteractionState {
  // A defer changes nothing after the answer.
  if (state === 'answered' && call === 'defer') return state;
  // An answer may have been deleted: only a follow-up shows that the interaction is gone.
  if (outcome === 'gone')
    return isSettling(state, call) || (state === 'answered' && call === 'edit') ? state : 'expired';
  if (state === 'failed' || state === 'shared' || state === 'reopened') {
    // Only a successful edit settles the outcome; only endpoint 30 replaces a thinking state.
    if (call === 'edit' && outcome === 'done') return 'answered';
    return call === 'defer' && (outcome === 'done' || outcome === 'already') ? 'reopened' : state;
  }
  // Another process has deferred, and may have answered.
  if (state === 'received' && call === 'defer' && outcome === 'already') return 'reopened';
  if (outcome === 'done' || outcome === 'already') return AFTER[call] ?? 'answered';
  if (outcome === 'unknown' && call === 'respond') return 'failed';
  // The thinking state may be visible. The bot assumes that it is, so that the answer replaces it in any case.
  if (outcome === 'unknown' && call === 'defer') return 'deferred';
  return state;
}

/** Returns the outcome of a call from its error. */
export function outcomeOf(error: unknown, profile: Profile): Outcome {
  if (!isVirguleError(error)) return 'refused';
  const { status, maybeSent } = error.details;
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
      // Other errors may have a measured refusal with another status: the user would see nothing instead of the failure.
      return status === 404 || status === 410 ? 'gone' : 'refused';
    default:
      return 'refused';
  }
}

/** Returns whether an edit found nothing, or an interaction that is gone: only a defer distinguishes the two on most platforms. */
export function saysNothingThere(error: unknown, profile: Profile): boolean {
  const outcome = outcomeOf(error, profile);
  if (outcome === 'gone' || outcome === 'already') return true;
  if (outcome !== 'refused' || !isVirguleError(error)) return false;
  // A conflict may have a code that no profile lists: then the defer shows whether the interaction is still open.
  const { details } = error;
  return details['status'] === 409 || isRefusal(profile.refusals.nothingToEdit, details);
}

/** Time at the end of the answer window for an edit and a defer, if the outcome of the answer is unknown, in milliseconds. */
export const SETTLE_MS = 1_000;

/** Minimum deadline of a first answer, in milliseconds. */
const ANSWER_DEADLINE_MIN_MS = 1_000;

/**
 * Age from which an interaction is dropped if all its calls were refused or never sent, in milliseconds: five answer windows,
 * and at least 15 s. A platform that recovers must not get the calls of its whole outage.
 */
const dropAfterMs = ({ answerWindowMs }: Profile): number => Math.max(5 * answerWindowMs, 15_000);

/** Returns whether it is time to drop an interaction: the platform provably has not opened it. */
export const isLost = ({ opened }: Progress, ageMs: number, profile: Profile): boolean =>
  opened === 'no' && ageMs >= dropAfterMs(profile);

/**
 * Returns the deadline of a first answer in milliseconds, `leaveMs` before the end of the window; `undefined` for no deadline.
 * The client rejects at once for a rate limit that ends after the deadline, so that a defer can be sent.
 */
export function answerDeadlineMs(
  { state, opened }: Progress,
  ageMs: number,
  profile: Profile,
  leaveMs = 0,
): number | undefined {
  if (opened === 'yes' || state === 'deferred') return undefined;
  const leftMs = profile.answerWindowMs - ageMs;
  // After the assumed window: the real window is longer, or over.
  if (leftMs <= 0 && opened === 'maybe') return undefined;
  const deadlineMs = leftMs <= 0 ? dropAfterMs(profile) - ageMs : leftMs - leaveMs;
  return Math.max(ANSWER_DEADLINE_MIN_MS, deadlineMs);
}
