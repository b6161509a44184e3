/** The commands that every bot here has. */
export type CommandName =
  /** `/roll <sides> <count>` answers at once. */
  | 'roll'
  /** As `roll`, but the answer waits until the bot is told to go on. */
  | 'hold'
  /** Takes nothing and always answers the same. */
  | 'ping';

/**
 * What differs between two chat platforms, as far as a bot that only takes commands and messages can
 * tell. Everything else is the same fake platform, so that the figures of both can be compared.
 */
export interface Dialect {
  /** Whether a request for this path opens the gateway. */
  isGateway(path: string): boolean;
  /** What a frame of the bot is. */
  frameKind(op: unknown): 'identify' | 'heartbeat' | undefined;
  /** Greets a connection. */
  readonly hello: object;
  /** Follow an IDENTIFY, in this order. */
  readonly ready: readonly object[];
  readonly heartbeatAck: object;
  /** The id with this number; all have the same length. */
  readonly idOf: (index: number) => string;
  /** The frame of a command that a user runs. */
  command(name: CommandName, index: number): object;
  /** The frame of a message that somebody writes. */
  message(index: number): object;
  /** The number of the interaction that a POST to this path is about, and what it is to it. */
  about(path: string, body: string): AboutInteraction | undefined;
  /** The answer, head included, to a request that answered an interaction. */
  accepted(content: string): string;
  /** The answer to any other request. */
  other(method: string, path: string, port: number): string;
}

export type AboutInteraction =
  | { readonly kind: 'answer'; readonly index: number; readonly content: unknown }
  | { readonly kind: 'defer'; readonly index: number };
