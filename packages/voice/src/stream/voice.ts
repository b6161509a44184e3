import { join } from 'node:path';
import { STATE_FOLDER } from '@virgule/core/fs';
import type { VoiceParticipant } from '@virgule/core/protocol';
import type { VoiceSetting } from '@virgule/runtime/bot';
import { createChildHost } from '../host/child-host.js';
import { createSilentHost } from '../host/silent-host.js';
import type { Host, HostListener } from '../host/message.js';
import type { AudioSource, SourceInput } from '../source/audio-source.js';
import {
  ffmpegSource,
  missingFfmpeg,
  toneSource,
  type FfmpegOptions,
} from '../source/ffmpeg-source.js';
import { createVoiceMembers } from '../members/voice-members.js';
import { createVoiceJournal } from './journal.js';
import { createStreams } from './streams.js';
import type { VoiceStream } from './voice-stream.js';
import type { TransportName } from '../transport/transport.js';

/** Options of `stream`. */
export interface StreamOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
  /** Factor of the loudness, from 0 to 10. Any factor but 1 requires ffmpeg. @defaultValue 1 */
  readonly volume?: number | undefined;
  /** Handling of another stream of this bot in the channel. @defaultValue `'replace'` */
  readonly ifBusy?: 'replace' | 'reject' | undefined;
}

/** Plays audio in voice channels: `ctx.voice` of a bot with the setting `voice`. */
export interface Voice {
  /**
   * Plays a source in a voice channel. Resolves when it is connected; the ingress is closed when the source ends, the
   * signal is aborted, the stream or the bot is closed, or something fails.
   *
   * @throws VirguleError `E_VOICE_CALL`, `E_VOICE_SOURCE`, `E_VOICE_TRANSPORT`, `E_VOICE_LOST`, `E_VOICE_BUSY`,
   *   `E_VOICE_INGRESS`, or the errors of `rest.voice.openIngress`.
   *
   * @example
   * ```ts
   * const stream = await voice.stream(channelId, 'song.ogg', { signal });
   * const { reason } = await stream.finished;
   * ```
   */
  stream(channelId: string, source: SourceInput, options?: StreamOptions): Promise<VoiceStream>;
  /** Returns the stream that plays in a channel. */
  get(channelId: string): VoiceStream | undefined;
  /** Returns who is in a voice channel; `undefined` if the platform does not say. */
  members(channelId: string): Promise<readonly VoiceParticipant[] | undefined>;
}

/** Sources that create Opus audio with the program ffmpeg. */
export const audio = {
  /** Returns a source of anything that ffmpeg can read: a path or a URL. */
  ffmpeg: (input: string | URL, options?: FfmpegOptions): AudioSource =>
    ffmpegSource(input, options),
  /** Returns a sine tone that does not end. */
  tone: (hertz: number): AudioSource => toneSource(hertz),
};

declare module '@virgule/runtime' {
  // The type of `ctx.voice`.
  interface BotVoice extends Voice {}
}

/** Options of the setting `voice`. */
export interface VoiceOptions {
  /** The package that sends audio. @defaultValue `node-datachannel` if it is installed, else `werift` */
  readonly transport?: TransportName | undefined;
}

/**
 * The setting `voice` of a bot that plays audio in voice channels.
 *
 * @example
 * ```ts
 * const config = defineConfig({ voice: voice() });
 * ```
 */
export function voice({ transport }: VoiceOptions = {}): VoiceSetting {
  return {
    open({ rest, log, clock, random, platform, root }) {
      const members = createVoiceMembers(rest, log);
      const stateFolder = platform && join(root, STATE_FOLDER, 'voice');
      const journal = createVoiceJournal(stateFolder, log, platform);
      const openHost = (listener: HostListener): Host =>
        platform
          ? createChildHost(platform, transport, log, listener)
          : createSilentHost({ clock, random, ...listener });
      const streams = createStreams({ rest, log, clock, members, journal, openHost });
      let missing: Promise<string | undefined> | undefined;
      return {
        missing: () => (missing ??= missingFfmpeg()),
        voice: streams,
        connected: (serverIds) => members.connected(serverIds),
        follow: (data) => members.follow(data),
        close: () => streams.close(),
      };
    },
  };
}
