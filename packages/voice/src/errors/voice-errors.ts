import { defineErrors, userError } from '@virgule/core/errors';

const USAGES: Readonly<Record<string, string>> = {
  'voice.stream': "voice.stream(channelId, 'song.ogg', { signal, volume, ifBusy })",
  'voice.members': 'voice.members(channelId)',
  'voice.join': 'voice.join(channelId, { signal })',
  'audio.ffmpeg': "audio.ffmpeg('song.mp3', { filters })",
  voice: "voice: voice() or voice({ transport: 'werift' })",
  createVoice: 'createVoice({ rest, platform })',
};

/** Every error code of this package. Codes never change once published. */
export const voiceErrors = defineErrors({
  E_VOICE_BUSY: userError<{ channelId: string }>({
    message: ({ channelId }) => `Another stream plays in the voice channel ${channelId}.`,
    hint: "Close it first, or omit `ifBusy: 'reject'` to replace it.",
  }),
  E_VOICE_CALL: userError<{ call: string; field: string; expected: string; seen: string }>({
    message: ({ call, field, expected, seen }) =>
      `${call}: ${field} must be ${expected}, saw ${seen}.`,
    hint: ({ call }) => `Write ${USAGES[call] ?? call}.`,
  }),
  E_VOICE_CLOSED: userError({
    message: () => 'The stream or the bot is closed.',
    hint: 'Start another stream.',
  }),
  E_VOICE_LOST: userError<{ channelId: string; attempts: number; reason: string }>({
    message: ({ channelId, attempts, reason }) =>
      `The stream to the voice channel ${channelId} was lost after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${reason}.`,
    hint: 'Check that UDP packets can reach the media server of the platform.',
  }),
  E_VOICE_SOURCE: userError<{ reason: string; fix: string }>({
    message: ({ reason }) => `The audio source cannot be played: ${reason}.`,
    hint: ({ fix }) => fix,
  }),
  E_VOICE_TRANSPORT: userError<{ reason: string }>({
    message: ({ reason }) => `No WebRTC transport can be loaded: ${reason}.`,
    hint: 'Run `npm install node-datachannel`, or `npm install werift@~0.24.4`.',
  }),
  E_WHIP_ANSWER: userError<{ address: string; reason: string }>({
    message: ({ address, reason }) =>
      `The answer of the ingress at ${address} is invalid: ${reason}.`,
    hint: 'Check that the address of the ingress is that of a WHIP endpoint.',
  }),
  E_WHIP_REFUSED: userError<{ address: string; status: number; reason: string }>({
    message: ({ address, status, reason }) =>
      `The ingress at ${address} refused the stream with status ${status}${reason && `: ${reason}`}.`,
    hint: ({ status }) =>
      status === 409
        ? 'Close the other stream of this ingress.'
        : 'Start another stream, which opens another ingress.',
  }),
  E_WHIP_UNREACHABLE: userError<{ address: string; reason: string }>({
    message: ({ address, reason }) => `The ingress at ${address} cannot be reached: ${reason}.`,
    hint: 'Check the network between the bot and the media server of the platform.',
  }),
});

/** Returns the error for a source, with what to do about it. */
export function sourceError(
  reason: string,
  fix = 'Use a file with Opus audio in Ogg or WebM, or `audio.ffmpeg(input)`.',
  cause?: unknown,
): Error {
  return voiceErrors.E_VOICE_SOURCE({ reason, fix }, { cause });
}
