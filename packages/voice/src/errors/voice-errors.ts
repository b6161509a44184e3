import { defineErrors, userError, userErrorByKind } from '@virgule/core/errors';

/** Every error code of this package. Codes never change once published. */
export const voiceErrors = defineErrors({
  // Group: Voice
  /**
   * Another stream plays in the voice channel.
   *
   * A bot has one stream in a voice channel: the platform closes an ingress by its channel. `ifBusy: 'reject'` causes
   * this error instead of replacing the current stream.
   *
   * @example
   * Error [E_VOICE_BUSY] Another stream plays in the voice channel 0b5f7c1e-0000-4000-8000-000000000001.
   * Try:  Close it first, or omit `ifBusy: 'reject'` to replace it.
   *
   * @fix
   * - Add the source to the queue of the current stream: `stream.queue.add(source)`.
   * - Omit `ifBusy` to replace it.
   */
  E_VOICE_BUSY: userError<{ channelId: string }>(({ channelId }) => [
    `Another stream plays in the voice channel ${channelId}.`,
    "Close it first, or omit `ifBusy: 'reject'` to replace it.",
  ]),
  /**
   * A stream was used after it was closed.
   *
   * The stream has ended, or was closed by `close()`, its signal or the shutdown of the bot; nothing can be played in
   * it afterwards. A bot that has ended cannot start a stream.
   *
   * @example
   * Error [E_VOICE_CALL] The stream or the bot is closed.
   * Try:  Start another stream.
   *
   * @fix
   * - Start another stream with `voice.stream()`.
   * - Use `stream.state` to find out whether it plays.
   */
  E_VOICE_CALL: userError(() => ['The stream or the bot is closed.', 'Start another stream.']),
  /**
   * The connection of a stream was lost, and could not be established again.
   *
   * The audio of a stream is sent over UDP. The connection failed or ended, and each attempt opened another ingress.
   * The ingress of the last attempt is closed.
   *
   * @example
   * Error [E_VOICE_LOST] The stream to the voice channel 0b5f7c1e-0000-4000-8000-000000000001 was lost after 3 attempts: no connection within 10 seconds.
   * Try:  Check that UDP packets can reach the media server of the platform.
   *
   * @fix
   * - Allow UDP from the machine of the bot to the media server.
   * - Read the reason of the last attempt in the message.
   */
  E_VOICE_LOST: userError<{ channelId: string; attempts: number; reason: string }>(
    ({ channelId, attempts, reason }) => [
      `The stream to the voice channel ${channelId} was lost after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${reason}.`,
      'Check that UDP packets can reach the media server of the platform.',
    ],
  ),
  /**
   * An audio source cannot be played.
   *
   * A source must contain Opus audio with one or two channels, in Ogg. Its packets are sent unchanged, so any other
   * codec and format is refused, as are damaged and truncated files. Audio before the damage was played.
   *
   * @example
   * Error [E_VOICE_SOURCE] The audio source cannot be played: it is not Opus in Ogg.
   * Try:  Use a file with Opus audio in Ogg, or `audio.ffmpeg(input)`.
   *
   * @fix
   * - For `setVolume`, `volume` and `audio.ffmpeg`, install the program ffmpeg where the bot runs. After a `setVolume`
   *   or `seek` that fails, the stream continues as before.
   * - Convert the file once: `ffmpeg -i song.mp3 -c:a libopus -b:a 128k song.ogg`.
   */
  E_VOICE_SOURCE: userError<{ reason: string; fix: string }>(({ reason, fix }) => [
    `The audio source cannot be played: ${reason}.`,
    fix,
  ]),
  /**
   * No WebRTC transport is installed.
   *
   * `@virgule/voice` sends audio over WebRTC with one of two packages, which are installed only by bots that need
   * them: `node-datachannel` is native and the faster one, `werift` is written in TypeScript and runs everywhere.
   *
   * @example
   * Error [E_VOICE_TRANSPORT] No WebRTC transport can be loaded: node-datachannel and werift are not installed.
   * Try:  Run `npm install node-datachannel`, or `npm install werift@~0.24.4`.
   *
   * @fix
   * - Run `npm install node-datachannel`.
   * - Where it has no binary, or where native code is unwanted, run `npm install werift@~0.24.4`.
   */
  E_VOICE_TRANSPORT: userError<{ reason: string }>(({ reason }) => [
    `No WebRTC transport can be loaded: ${reason}.`,
    'Run `npm install node-datachannel`, or `npm install werift@~0.24.4`.',
  ]),
  /**
   * An ingress of the platform did not accept the stream.
   *
   * The answer of an ingress is invalid. The ingress accepted the offer, but its answer cannot be used: it has no
   * SDP, rejects the audio, cannot be read by the transport, redirects in a loop, or redirects from `https:` to
   * `http:`. A missing or wrong `Location` does not matter: the session then ends with its ingress.
   *
   * An ingress of the platform refused a stream. The bot opened an ingress, and its WHIP endpoint answered the offer
   * with another status than 201. 401 and 403 refuse the stream key, 404 means that the ingress is gone, 409 that it
   * is in use, and 503 that the server is overloaded.
   *
   * An ingress of the platform cannot be reached. The address of the ingress, which the platform returns, did not
   * answer. The media server often has another host than the platform itself.
   *
   * @example
   * Error [E_VOICE_INGRESS] The answer of the ingress at https://media.example is invalid: its body is not SDP.
   * Try:  Check that the address of the ingress belongs to a WHIP endpoint.
   *
   * Error [E_VOICE_INGRESS] The ingress at https://media.example refused the stream with status 401.
   * Try:  Start another stream, which opens another ingress.
   *
   * Error [E_VOICE_INGRESS] The ingress at https://media.example cannot be reached: no answer within 10000 ms.
   * Try:  Check the network between the bot and the media server of the platform.
   *
   * @fix
   * - Check that no proxy between the bot and the media server changes answers.
   * - Start another stream: it opens another ingress with its own key.
   * - For 409, close the other stream of this ingress first.
   * - Check that the machine of the bot can connect to this address, for instance with `curl -i`.
   * - Check firewalls: HTTPS is needed for the offer, and UDP for the audio.
   */
  E_VOICE_INGRESS: userErrorByKind<
    | { kind: 'answer'; address: string; reason: string }
    | { kind: 'refused'; address: string; status: number; reason: string }
    | { kind: 'unreachable'; address: string; reason: string }
  >({
    answer: ({ address, reason }) => [
      `The answer of the ingress at ${address} is invalid: ${reason}.`,
      'Check that the address of the ingress belongs to a WHIP endpoint.',
    ],
    refused: ({ address, status, reason }) => [
      `The ingress at ${address} refused the stream with status ${status}${reason && `: ${reason}`}.`,
      status === 409
        ? 'Close the other stream of this ingress.'
        : 'Start another stream, which opens another ingress.',
    ],
    unreachable: ({ address, reason }) => [
      `The ingress at ${address} cannot be reached: ${reason}.`,
      'Check the network between the bot and the media server of the platform.',
    ],
  }),
});

/** Returns the error for a source, with what to do about it. */
export function sourceError(
  reason: string,
  fix = 'Use a file with Opus audio in Ogg, or `audio.ffmpeg(input)`.',
  cause?: unknown,
): Error {
  return voiceErrors.E_VOICE_SOURCE({ reason, fix }, { cause });
}
