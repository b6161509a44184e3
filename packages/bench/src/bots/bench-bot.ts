import type { rollAnswer } from '../platform/sample-data.js';

export interface BotOptions {
  readonly port: number;
  /** @defaultValue one that opens nothing: the fake platform checks none */
  readonly token?: string | undefined;
  /** What the bot written by hand asks to hear. @defaultValue everything */
  readonly intents?: readonly string[] | undefined;
  /** The work of `/roll` and `/hold`, the same for every bot. */
  readonly roll: typeof rollAnswer;
  /** What `/hold` waits for before it answers. */
  readonly released: Promise<void>;
  /** Called for every MESSAGE_CREATE, with the message. */
  readonly onMessage: (message: unknown) => void;
}

interface BenchBot {
  close(): Promise<unknown>;
}

/**
 * Starts a bot that answers `/roll <sides> <count>`, `/hold <sides> <count>` and `/ping`, and hands
 * messages over. Resolves once READY came.
 */
export type StartBot = (options: BotOptions) => Promise<BenchBot>;

export const NO_TOKEN = 'bench-token-opens-nothing';

/** When a bot written by hand defers `/hold`: as late as the runtime does. In milliseconds. */
export const DEFER_AFTER_MS = 1_500;

/** The bots that are compared. */
export const BOT_NAMES = [
  'floor',
  'client',
  /** The runtime without a log; its `/ping` has no options. */
  'runtime',
  /** With a middleware around every command. */
  'runtime-middleware',
  /** With a line of log for every command. */
  'runtime-log',
  /** With both. */
  'runtime-middleware-log',
  /** Written by hand for Discord. */
  'discord-floor',
  'discord.js',
] as const;
export type BotName = (typeof BOT_NAMES)[number];
