import type { Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { runtimeErrors } from '../errors/runtime-errors.js';

/** The type of `ctx.voice`. `@virgule/voice` adds the members by declaration merging. */
export interface BotVoice {}

/** Options of `VoiceSetting.open`. */
export interface OpenVoice {
  readonly rest: Rest;
  readonly log: Log;
  readonly clock: Clock;
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number;
  /** The platform and the bot's account; `undefined` in tests, where no media server can be reached. */
  readonly platform:
    | { readonly baseUrl: string; readonly token: string; readonly botUserId: string }
    | undefined;
  /** The folder of the bot. */
  readonly root: string;
}

/** The audio of a running bot. */
export interface OpenedVoice {
  /** Object that handlers get as `voice`. */
  readonly voice: BotVoice;
  /** Called when the bot is connected, with its visible servers: the users in their voice channels may have changed. */
  connected(serverIds: readonly string[]): void;
  /** Takes a VOICE_STATE_UPDATE. Returns the payload for handlers. */
  follow(data: unknown): unknown;
  /** Resolves to a line that names missing requirements, such as a program, and their consequence; `undefined` if there are none. */
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
