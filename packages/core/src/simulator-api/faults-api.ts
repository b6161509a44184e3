// The faults of the simulator: `/_sim/faults`. Not part of the Bot Interface.

/**
 * What a fault does. Of requests: all up to `expire`; of frames: all from `delay` on, except `hang`; of connections:
 * `status` and `cut`.
 */
export type SimFaultEffect =
  | {
      readonly type: 'status';
      readonly status: number;
      /** Value of `Retry-After`: seconds, or any text. */
      readonly retryAfter?: number | string | undefined;
      /** @defaultValue that of the platform for the status */
      readonly code?: string | undefined;
      /** @defaultValue `json`, the error body of the platform */
      readonly body?: 'json' | 'html' | 'empty' | undefined;
      /** Whether the request is carried out first. @defaultValue `false` */
      readonly after?: boolean | undefined;
    }
  /** A real rate limit: at most so many requests in each window, each channel by itself with `per: 'channel'`. */
  | {
      readonly type: 'limit';
      readonly limit: number;
      readonly perMs: number;
      /** @defaultValue `bot` */
      readonly per?: 'bot' | 'channel' | undefined;
    }
  /** The interaction in the path expires before the request is carried out. */
  | { readonly type: 'expire' }
  /** Nothing is ever answered. */
  | { readonly type: 'hang' }
  /** The connection breaks: before the request is carried out, after it, or in the middle of the response. */
  | { readonly type: 'cut'; readonly when?: 'before' | 'after' | 'within' | undefined }
  | { readonly type: 'delay'; readonly ms: number; readonly jitterMs?: number | undefined }
  /** These fields are missing, of the response or of `d`. */
  | { readonly type: 'omit'; readonly fields: readonly string[] }
  | { readonly type: 'lose' }
  | { readonly type: 'duplicate' }
  /** It comes after the next frame, or a second later. */
  | { readonly type: 'reorder' }
  | { readonly type: 'malformed' }
  | { readonly type: 'close'; readonly code: number }
  /** Nothing is sent or received on this connection any more, and nothing closes it. */
  | { readonly type: 'silence' };

/** A rule by which the simulator misbehaves. The first rule that applies decides. */
export interface SimFaultRule {
  readonly name: string;
  /**
   * What it applies to: requests by name or number of their endpoint, `upload`, or `*`; frames by event or operation, or
   * `*`; new gateway connections.
   */
  readonly on:
    | { readonly request: string | number }
    | { readonly frame: string }
    | { readonly connect: true };
  /** Username of the bot that it applies to; not for new connections, which have no bot yet. @defaultValue all bots */
  readonly bot?: string | undefined;
  readonly do: SimFaultEffect;
  /** How many of those that it applies to pass first. @defaultValue 0 */
  readonly skip?: number | undefined;
  /** How often it takes effect. @defaultValue without an end */
  readonly times?: number | undefined;
  /** From 0 to 1, decided by the seed. @defaultValue 1 */
  readonly probability?: number | undefined;
  /** How long it applies, in milliseconds from when it is set. @defaultValue without an end */
  readonly forMs?: number | undefined;
}

/** Faults as a file and the control API have them. */
export interface SimFaults {
  /** The same seed decides the same. @defaultValue '1' */
  readonly seed?: string | undefined;
  readonly rules: readonly SimFaultRule[];
}

/** Rules under a name, and what a good bot does about them. */
export interface SimFaultPreset extends SimFaults {
  readonly name: string;
  /** What the platform does, in a sentence. */
  readonly does: string;
  /** What the bot should do then, in a sentence. */
  readonly expected: string;
  /** How many commands may expire by it. @defaultValue none */
  readonly mayExpire?: number | undefined;
  /** Whether it takes the connection away: what happens until the bot is back is lost, on the real platform too. */
  readonly disconnects?: boolean | undefined;
}

/** Result of the action `faults`. */
export interface SimFaultState {
  readonly seed: string;
  /** With how often each took effect. */
  readonly rules: readonly (SimFaultRule & { readonly hits: number })[];
  readonly presets: readonly SimFaultPreset[];
}
