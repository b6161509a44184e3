import type { rollAnswer } from '../platform/sample-data.js';

export interface BotOptions {
  readonly port: number;
  /** The work of `/roll`, the same for every bot. */
  readonly roll: typeof rollAnswer;
  /** Called for every MESSAGE_CREATE, with the message. */
  readonly onMessage: (message: unknown) => void;
}

interface BenchBot {
  close(): Promise<unknown>;
}

/** Starts a bot that answers `/roll <sides> <count>` and hands messages over. Resolves once READY came. */
export type StartBot = (options: BotOptions) => Promise<BenchBot>;

/** Every bot has its own token and opens its own socket: nothing here checks it. */
export const TOKEN = 'bench-token-opens-nothing';

/** The bots that are compared, in the order of their results. */
export const BOT_NAMES = ['floor', 'client', 'runtime'] as const;
export type BotName = (typeof BOT_NAMES)[number];
