import type { rollAnswer } from '../platform/sample-data.js';

export interface BotOptions {
  readonly port: number;
  /** @defaultValue an invalid one: the fake platform checks no token */
  readonly token?: string | undefined;
  /** Intents of the bot written by hand. @defaultValue all */
  readonly intents?: readonly string[] | undefined;
  /** Computes the answer to `/roll` and `/hold`, which is the same for every bot. */
  readonly roll: typeof rollAnswer;
  /** Promise that `/hold` waits for before it answers. */
  readonly released: Promise<void>;
  /** Called for every MESSAGE_CREATE, with the message. */
  readonly onMessage: (message: unknown) => void;
}

interface BenchBot {
  close(): Promise<unknown>;
}

/**
 * Starts a bot that answers `/roll <sides> <count>`, `/hold <sides> <count>` and `/ping`, and passes
 * messages to `onMessage`. Resolves on READY.
 */
export type StartBot = (options: BotOptions) => Promise<BenchBot>;

export const NO_TOKEN = 'bench-token-opens-nothing';

/** Time after which a bot written by hand defers `/hold`, in milliseconds: that of the runtime. */
export const DEFER_AFTER_MS = 1_500;

/** The bots that are compared. */
export const BOT_NAMES = [
  'floor',
  /** The same with a line of pino for every command. */
  'floor-log',
  'client',
  /** The runtime without a log; its `/ping` has no options. */
  'runtime',
  /** With a middleware around every command. */
  'runtime-middleware',
  /** With a log line for every command. */
  'runtime-log',
  /** With both. */
  'runtime-middleware-log',
  /** With 100 commands, a middleware around each, and services. */
  'runtime-many',
  /** Written by hand for Discord. */
  'discord-floor',
  'discord.js',
] as const;
export type BotName = (typeof BOT_NAMES)[number];
