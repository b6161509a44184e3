import { join } from 'node:path';
import { STATE_FOLDER } from '@virgule/core/fs';
import type { VoiceSetting } from '@virgule/runtime/project';
import { createChildHost } from '../host/child-host.js';
import { createSilentHost } from '../host/silent-host.js';
import { createVoiceMembers } from '../members/voice-members.js';
import { missingFfmpeg } from '../source/ffmpeg-source.js';
import { checkOptions, checkTransport } from '../stream/check-call.js';
import { createVoiceJournal } from '../stream/journal.js';
import { createStreams } from '../stream/streams.js';
import type { Voice, VoiceOptions } from '../stream/voice.js';

declare module '@virgule/runtime' {
  // The type of `ctx.voice`.
  interface BotVoice extends Voice {}
}

/**
 * The setting `voice` of a bot that plays audio in voice channels.
 *
 * @example
 * ```ts
 * const config = defineConfig({ voice: voice() });
 * ```
 */
export function voice(options: Pick<VoiceOptions, 'transport'> = {}): VoiceSetting {
  checkOptions('voice', options);
  const { transport } = options;
  checkTransport('voice', transport);
  return {
    open({ rest, log, clock, random, platform, root }) {
      const members = createVoiceMembers(rest, log);
      const streams = createStreams({
        rest,
        log,
        clock,
        members,
        journal: createVoiceJournal(platform && join(root, STATE_FOLDER, 'voice'), {
          baseUrl: platform?.baseUrl,
          botUserId: platform?.botUserId,
          log,
        }),
        openHost: () =>
          platform
            ? createChildHost({ platform, transport, log })
            : createSilentHost({ clock, random }),
      });
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
