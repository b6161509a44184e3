import type { Call, InteractionState, Outcome } from './transitions.js';

/** Sees the calls of one interaction. They come one after the other. */
export interface CallObserver {
  /** A call is sent. */
  callStarted(): void;
  /** It is settled. `before` is the state in which it was sent. */
  callEnded(before: InteractionState, call: Call, outcome: Outcome): void;
  /** Told of every repetition of a call by the client; `undefined` when nobody counts them. */
  readonly callOptions: { readonly onRetry: () => void } | undefined;
}
