import { createFakeClock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';
import { describe, expect, it } from 'vitest';
import { CHANNEL, openFakePlatform } from '../../test/fake-platform.js';
import { packetsOf } from '../../test/playing.js';
import { audio, voice as voiceSetting } from './voice.js';

/** Calls as plain JavaScript can make them. */
// oxlint-disable-next-line typescript/no-explicit-any -- types refuse all of these.
type Untyped = any;

const SONG = 'song.ogg';
const USAGE = "Write voice.stream(channelId, 'song.ogg', { signal, volume, ifBusy }).";

describe('a call with other arguments than it has', () => {
  it.each<[name: string, call: (voice: Untyped) => unknown, message: string, hint: string]>([
    [
      'stream()',
      (voice) => voice.stream(),
      'voice.stream: channelId must be the id of a voice channel, such as channel.id, saw undefined.',
      USAGE,
    ],
    [
      'a channel in the place of its id',
      (voice) => voice.stream({ id: CHANNEL }, SONG),
      'voice.stream: channelId must be the id of a voice channel, such as channel.id, saw an object.',
      USAGE,
    ],
    [
      'options that are null',
      (voice) => voice.stream(CHANNEL, SONG, null),
      'voice.stream: options must be an object, saw null.',
      USAGE,
    ],
    [
      'a signal that is none',
      (voice) => voice.stream(CHANNEL, SONG, { signal: new AbortController() }),
      'voice.stream: signal must be an AbortSignal, saw an object.',
      USAGE,
    ],
    [
      'a volume that is a string',
      (voice) => voice.stream(CHANNEL, SONG, { volume: '0.5' }),
      'voice.stream: volume must be a number, saw "0.5".',
      USAGE,
    ],
    [
      'ifBusy with a typing error',
      (voice) => voice.stream(CHANNEL, packetsOf(1), { ifBusy: 'rejct' }),
      "voice.stream: ifBusy must be 'replace' or 'reject', saw \"rejct\".",
      USAGE,
    ],
    [
      'members()',
      (voice) => voice.members(),
      'voice.members: channelId must be the id of a voice channel, such as channel.id, saw undefined.',
      'Write voice.members(channelId).',
    ],
    [
      'audio.ffmpeg()',
      () => (audio as Untyped).ffmpeg(),
      'audio.ffmpeg: input must be a path or a URL, saw undefined.',
      "Write audio.ffmpeg('song.mp3', { filters }).",
    ],
    [
      'voice() with a package that it does not know',
      () => (voiceSetting as Untyped)({ transport: 'wrift' }),
      "voice: transport must be 'node-datachannel' or 'werift', saw \"wrift\".",
      "Write voice: voice() or voice({ transport: 'werift' }).",
    ],
  ])('says what it saw: %s', async (_name, call, message, hint) => {
    const { voice, calls } = openFakePlatform({ clock: createFakeClock() });
    const error = await (async () => call(voice))().catch((thrown: unknown) => thrown);
    expect(isVirguleError(error, 'E_VOICE_CALL')).toBe(true);
    expect(error).toMatchObject({ message, hint });
    // No ingress is opened for it.
    expect(calls).toEqual([]);
    await voice.close();
  });

  it('without a source is refused before anything is opened', async () => {
    const { voice, calls } = openFakePlatform({ clock: createFakeClock() });
    await expect((voice as Untyped).stream(CHANNEL)).rejects.toMatchObject({
      code: 'E_VOICE_SOURCE',
      message: 'The audio source cannot be played: it is of the type undefined.',
    });
    expect(calls).toEqual([]);
    await voice.close();
  });
});
