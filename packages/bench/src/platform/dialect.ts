/**
 * The differences between two chat platforms for a bot that only receives commands and messages.
 * Everything else is the same fake platform, so that the figures of both are comparable.
 */
export interface Dialect {
  /** Returns whether a request for this path opens the gateway. */
  isGateway(path: string): boolean;
  /** Returns the kind of a frame of the bot. */
  frameKind(op: unknown): 'identify' | 'heartbeat' | undefined;
  /** First frame of a connection. */
  readonly hello: object;
  /** Frames that follow an IDENTIFY, in order. */
  readonly ready: readonly object[];
  readonly heartbeatAck: object;
  /** Returns the id with this number; all have the same length. */
  readonly idOf: (index: number) => string;
  /** Returns the frame of a command with integer options. */
  command(index: number, name: string, options: Readonly<Record<string, number>>): object;
  /** Returns the frame of a message. */
  message(index: number): object;
  /** Returns the answer to an interaction that a POST request contains; `undefined` for other requests. */
  answerOf(path: string, body: string): Answer | undefined;
  /** Returns the HTTP response to a request that answered an interaction. */
  accepted(content: string): string;
  /** Returns the registered commands, as JSON, after a PUT with this body. */
  registered(body: string): string;
  /** Returns the HTTP response to any other request. */
  other(method: string, path: string, port: number): string;
}

export interface Answer {
  /** Number of the interaction. */
  readonly index: number;
  readonly content: unknown;
}
