import type { Call, InteractionState, Outcome } from './transitions.js';

/** Observes the calls of one interaction. There is one at a time. */
export interface CallObserver {
  /** Called when a call is sent. */
  callStarted(): void;
  /** Called when it is settled. `before` is the state in which it was sent. */
  callEnded(before: InteractionState, call: Call, outcome: Outcome): void;
  /** Options for every call, to count its retries; `undefined` if they are not counted. */
  readonly callOptions: { readonly onRetry: () => void } | undefined;
}
