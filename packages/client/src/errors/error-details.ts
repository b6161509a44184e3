/** What every failed call carries. */
export interface CallFacts {
  /** The method that was called, `messages.send`; `gateway` for the gateway. */
  readonly endpoint: string;
  /** Method and path of the endpoint, with the names of the parameters: `GET /channels/{channelId}/messages`. */
  readonly route: string;
  /** How many requests were tried. 0 when none left this machine. */
  readonly attempts: number;
  /** Time from the call to its end, in milliseconds. */
  readonly elapsedMs: number;
  /** The platform's own name for the request, when an answer carried one. */
  readonly requestId?: string | undefined;
}

export interface ApiRefusedDetails extends CallFacts {
  readonly status: number;
  /** `code` of the error body (Bot Interface, "Errors"); empty when the body had none. */
  readonly apiCode: string;
  /** `message` of the error body; empty when the body had none. */
  readonly apiMessage: string;
  /** The offending field of a `bot_validation_error`. */
  readonly field?: string | undefined;
}

export interface RateLimitedDetails extends CallFacts {
  /** How long the platform wants this route to be left alone, in milliseconds. */
  readonly retryAfterMs: number;
}

export interface OverloadedDetails extends CallFacts {
  /**
   * The queue is full (10,000 calls), or the platform refused so many requests (1,000 in ten minutes)
   * that background calls are held off.
   */
  readonly reason: 'queue-full' | 'too-many-refusals';
  readonly priority: 'interaction' | 'awaited' | 'background';
  /** Whether an earlier try may have reached the platform and taken effect. */
  readonly maybeSent: boolean;
}

export interface UnauthorizedDetails extends CallFacts {
  /** What refused the token: "GET /users/@me answered 401", "the gateway closed with code 4004". */
  readonly answer: string;
}

/**
 * Where a call was: `waiting` before it was sent (a rate limit, the pause before another try),
 * `connecting` or queued for a connection, then waiting for `headers`, then reading the `body`.
 */
export type CallPhase = 'waiting' | 'connecting' | 'headers' | 'body';

export interface InterruptedDetails extends CallFacts {
  readonly phase: CallPhase;
  /** Whether the request may have reached the platform and taken effect. */
  readonly maybeSent: boolean;
}

export interface OutcomeUnknownDetails extends CallFacts {
  readonly phase: CallPhase;
  /** Status of the answer, when there was one: a 5xx does not say whether the request took effect. */
  readonly status?: number | undefined;
  /** Whether it is safe to make the same call again. */
  readonly repeatIsHarmless: boolean;
  /** What reading the channel showed, for `sendReconciled`. */
  readonly reconciled?: ReconcileFinding | undefined;
}

/**
 * Why reading the channel did not settle the outcome of a message: it is `missing`, and nothing proves
 * that it will not still appear; one like it is there that may be another call's (`ambiguous`); or
 * the channel could not be read (`unread`).
 */
export type ReconcileFinding = 'missing' | 'ambiguous' | 'unread';

export interface UploadFailedDetails extends CallFacts {
  /** Which file, counted from 0: `files[0]`. */
  readonly field: string;
  readonly fileName: string;
  /** The code of what prevented it; that error is the `cause`. */
  readonly reason: string;
}

export interface InvalidCallDetails {
  /** The method that was called, `messages.send`. */
  readonly endpoint: string;
  /** What is wrong with it: `content`, `channelId`, `files[0]`. */
  readonly field: string;
  /** What would do. */
  readonly expected: string;
  /** What was given instead, cut to a line. */
  readonly seen: string;
}

export interface UnreachableDetails extends CallFacts {
  /** Scheme, host and port that could not be reached. */
  readonly address: string;
  /** `connecting`: nothing was sent. Only a read gets further: its connection broke before the answer had come. */
  readonly phase: CallPhase;
  /** What prevented it: `ECONNREFUSED`, `ENOTFOUND`, `ECONNRESET`. */
  readonly reason: string;
}

export interface BadResponseDetails extends CallFacts {
  readonly status: number;
  /** The field that does not fit, `messages.0.id`; absent when it is not about one. */
  readonly field?: string | undefined;
  /** What was expected, or what is wrong. */
  readonly reason: string;
}

/** Which address was given. */
export type AddressName = 'baseUrl' | 'gatewayUrl' | 'uploadUrl' | 'proxy';

export interface BadAddressDetails {
  readonly name: AddressName;
  /** What was given, without query and credentials. */
  readonly seen: string;
  /** The schemes that would do, `http:`. */
  readonly schemes: readonly string[];
}
