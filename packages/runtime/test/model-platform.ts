import type { Rest, SentAnswer } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import type { VirguleError } from '@virgule/core/errors';
import type { Profile } from '@virgule/core/protocol';
import { outcomeUnknown, rateLimited, refused, timedOut, unreachable } from './client-failures.js';
import { settle } from './test-bot.js';

/** Fate of a call in flight. */
export type Fate =
  /** The call arrives, and so does the answer. */
  | 'arrives'
  /** The call never arrives, and the caller does not know. */
  | 'lost'
  /** The call arrives, and the caller does not know. */
  | 'answer lost'
  /** The call is provably never sent. */
  | 'not sent'
  /** The platform does not like what it carries. */
  | 'invalid'
  /** The call arrives after `LATE_MS`. */
  | 'late';

/** Duration of a late call, in milliseconds. */
export const LATE_MS = 1_200;

export type InteractionCall = 'ack' | 'defer' | 'respond' | 'edit' | 'followUp';

/** A call, as the platform received it. */
export interface ModelCall {
  readonly call: InteractionCall;
  readonly fate: Fate;
  /** Result for the caller: `done`, or the code and status of the error. */
  readonly learned: string;
}

export interface ModelPlatform {
  readonly calls: Rest['interactions'];
  readonly log: readonly ModelCall[];
  /** Number of created answers. Users would see each of them. */
  readonly answers: number;
  readonly followUps: number;
  /** The maximum of calls that were in flight at one time. */
  readonly overlap: number;
  /** Final state that the users see. */
  readonly shown: 'nothing' | 'acknowledged' | 'thinking' | 'answer';
  /** `true` if the time of the interaction on the platform is over. */
  readonly isExpired: boolean;
  /** Lets the time to the first answer run out. */
  passWindow(): void;
}

/**
 * The platform's side of one interaction; `fates` are the results of its calls, in order. With a clock, a call takes 2 ms.
 * Properties run thousands of interactions against this model, which does not share its rules with the simulator: a
 * mistake in one of the two does not hide in the other.
 */
export function createModelPlatform(
  profile: Profile,
  fates: readonly Fate[],
  clock?: Clock,
): ModelPlatform {
  const { refusals } = profile;
  const log: ModelCall[] = [];
  let shown: ModelPlatform['shown'] = 'nothing';
  let isExpired = false;
  let answers = 0;
  let followUps = 0;
  let inFlight = 0;
  let overlap = 0;
  let count = 0;

  const refusal = ({
    status,
    code,
  }: Profile['refusals']['alreadyAnswered']): VirguleError | undefined =>
    // A platform that does not mind says nothing.
    status < 400 ? undefined : refused(status, code);

  function effect(call: InteractionCall): VirguleError | undefined {
    if (isExpired) return refusal(refusals.interactionGone);
    switch (call) {
      case 'ack':
        if (shown === 'nothing') shown = 'acknowledged';
        return undefined;
      case 'defer':
        if (shown !== 'answer') shown = 'thinking';
        return undefined;
      case 'respond':
        if (shown === 'answer' && refusals.alreadyAnswered.status >= 400) {
          return refusal(refusals.alreadyAnswered);
        }
        shown = 'answer';
        answers += 1;
        return undefined;
      case 'edit':
        if (shown === 'thinking') {
          shown = 'answer';
          answers += 1;
        }
        return shown === 'answer' ? undefined : refusal(refusals.nothingToEdit);
      case 'followUp':
        if (shown !== 'answer') return refused(409, 'bot_interaction_not_answered');
        followUps += 1;
        return undefined;
    }
  }

  function outcome(call: InteractionCall, fate: Fate): VirguleError | undefined {
    const isRepeatable = call === 'ack' || call === 'defer' || call === 'edit';
    switch (fate) {
      case 'arrives':
      case 'late':
        return effect(call);
      case 'lost':
        return isRepeatable ? timedOut(true) : outcomeUnknown();
      case 'answer lost':
        effect(call);
        return isRepeatable ? refused(502) : outcomeUnknown();
      case 'not sent':
        return count % 2 === 0 ? unreachable() : rateLimited();
      case 'invalid':
        return refused(refusals.validationStatus, 'bot_validation_error');
    }
  }

  // With a clock, calls take time of that clock: they must not be slower than what waits for them.
  const travel = (ms: number): Promise<void> => (clock ? clock.sleep(ms) : settle());

  async function meet(call: InteractionCall): Promise<undefined> {
    const fate = fates[count] ?? 'arrives';
    count += 1;
    inFlight += 1;
    overlap = Math.max(overlap, inFlight);
    await travel(fate === 'late' ? LATE_MS : 1);
    const error = outcome(call, fate);
    await travel(1);
    inFlight -= 1;
    log.push({ call, fate, learned: error ? learnedFrom(error) : 'done' });
    if (error) throw error;
    return undefined;
  }

  async function answer(call: InteractionCall): Promise<SentAnswer> {
    await meet(call);
    return { message: () => undefined };
  }

  return {
    calls: {
      ack: () => meet('ack'),
      defer: () => meet('defer'),
      respond: () => answer('respond'),
      editResponse: () => answer('edit'),
      followUp: () => answer('followUp'),
    },
    log,
    get answers() {
      return answers;
    },
    get followUps() {
      return followUps;
    },
    get shown() {
      return shown;
    },
    get isExpired() {
      return isExpired;
    },
    get overlap() {
      return overlap;
    },
    passWindow() {
      isExpired ||= shown === 'nothing' || (shown === 'acknowledged' && !profile.ackStopsExpiry);
    },
  };
}

function learnedFrom({ code, details }: VirguleError): string {
  return code === 'E_API_REFUSED'
    ? `${String(details['status'])} ${String(details['apiCode'])}`
    : code;
}
