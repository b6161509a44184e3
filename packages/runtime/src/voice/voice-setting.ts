import type { Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { runtimeErrors } from '../errors/runtime-errors.js';

/** What `ctx.voice` is. Its members are those of `@virgule/voice`, which adds them by declaration merging. */
export interface BotVoice {}

/** What plays audio gets to open with. */
export interface OpenVoice {
  readonly rest: Rest;
  readonly log: Log;
  readonly clock: Clock;
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number;
  /** The platform, and the bot there; `undefined` in tests, where no media server can be reached. */
  readonly platform:
    | { readonly baseUrl: string; readonly token: string; readonly botUserId: string }
    | undefined;
  /** The folder of the bot. */
  readonly root: string;
}

/** The audio of a bot, until it ends. */
export interface OpenedVoice {
  /** What handlers get as `voice`. */
  readonly voice: BotVoice;
  /** The bot is connected, and sees these servers: who is in their voice channels may have changed. */
  connected(serverIds: readonly string[]): void;
  /** Takes a VOICE_STATE_UPDATE. Returns the payload for handlers. */
  follow(data: unknown): unknown;
  /** Resolves to what it lacks here, such as a program, and what does not work without it; `undefined` if nothing. */
  readonly missing?: (() => Promise<string | undefined>) | undefined;
  /** Ends every stream, and rejects new ones. */
  close(): Promise<void>;
}

/** The setting `voice`: plays audio in voice channels. */
export interface VoiceSetting {
  open(options: OpenVoice): OpenedVoice;
}

const refuse = (): never => {
  throw runtimeErrors.E_VOICE_MISSING({});
};

/** The voice of a bot without the setting. Its members are listed, since a handler may log or copy its context. */
export const MISSING_VOICE = {
  voice: { stream: refuse, get: refuse, members: refuse, join: refuse },
  connected() {},
  follow: (data: unknown) => data,
  async close() {},
} satisfies OpenedVoice & { readonly voice: object };
