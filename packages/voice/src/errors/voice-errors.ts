import { defineErrors, userError } from '@virgule/core/errors';

/** Every error code of this package. Codes never change once published. */
export const voiceErrors = defineErrors({
  E_VOICE_SOURCE: userError<{ reason: string; fix: string }>({
    message: ({ reason }) => `The audio source cannot be played: ${reason}.`,
    hint: ({ fix }) => fix,
  }),
  E_WHIP_ANSWER: userError<{ address: string; reason: string }>({
    message: ({ address, reason }) =>
      `The answer of the ingress at ${address} is invalid: ${reason}.`,
    hint: () => 'Check that the address of the ingress is that of a WHIP endpoint.',
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
    hint: () => 'Check the network between the bot and the media server of the platform.',
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
