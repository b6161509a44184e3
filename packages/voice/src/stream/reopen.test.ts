import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { CHANNEL, hashAudio, openFakePlatform } from '../../test/fake-platform.js';
import { expected, packetsOf, play } from '../../test/playing.js';
import type { AudioSource, OpenSourceOptions } from '../source/audio-source.js';

function open() {
  const clock = createFakeClock();
  const platform = openFakePlatform({ clock });
  return { clock, platform, voice: platform.voice };
}

/** A source of 100 packets that can be read again; `before` is awaited each time that it is opened. */
function sourceOf(before: (options: OpenSourceOptions) => unknown = () => {}): AudioSource {
  return {
    name: 'a source',
    isReopenable: true,
    hasVolume: true,
    async *open(options) {
      await before(options);
      const from = options.fromMs / 20;
      yield* packetsOf(100 - from, from + (options.volume === 1 ? 0 : 1_000));
    },
  };
}

describe('a change that cannot be made', () => {
  it('leaves the source playing where it was, such as a file that was deleted', async () => {
    const { clock, platform, voice } = open();
    let isDeleted = false;
    const source = sourceOf(() => {
      if (isDeleted) throw new Error('ENOENT');
    });
    const stream = await voice.stream(CHANNEL, source);
    await play(clock, 500);
    isDeleted = true;
    await expect(stream.seek(1_500)).rejects.toThrow('ENOENT');
    await play(clock, 2_000);
    expect(await stream.finished).toEqual({ reason: 'ended', playedMs: 2_000, underruns: 0 });
    expect(hashAudio(platform.payloads.filter(({ length }) => length > 3))).toBe(expected(100));
  });

  it('is rejected when the stream ends before', async () => {
    const { voice } = open();
    let isFirst = true;
    const hanging = sourceOf(() => {
      if (!isFirst) return new Promise(() => {});
      isFirst = false;
      return undefined;
    });
    const stream = await voice.stream(CHANNEL, hanging);
    const changes = [stream.setVolume(0.5), stream.seek(0)].map((change) =>
      expect(change).rejects.toMatchObject({ code: 'E_VOICE_CALL' }),
    );
    await Promise.resolve();
    await stream.close();
    await Promise.all(changes);
    await expect(stream.setVolume(1)).rejects.toMatchObject({ code: 'E_VOICE_CALL' });
  });
});

describe('a change of the volume', () => {
  it('begins when the source has, and nothing is played twice or left out', async () => {
    const { clock, platform, voice } = open();
    let opened = (): void => {};
    const source = sourceOf(
      ({ volume }) => volume !== 1 && new Promise<void>((resolve) => (opened = resolve)),
    );
    const stream = await voice.stream(CHANNEL, source);
    await play(clock, 400);
    const changed = stream.setVolume(0.5);
    await play(clock, 400);
    expect([stream.volume, stream.positionMs]).toEqual([1, 800]);
    opened();
    await changed;
    expect(stream.volume).toBe(0.5);
    await play(clock, 1_500);
    expect(await stream.finished).toMatchObject({ reason: 'ended', playedMs: 2_000 });
    const sent = platform.payloads.filter(({ length }) => length > 3);
    expect(hashAudio(sent.slice(0, 40))).toBe(expected(40));
    expect(hashAudio(sent.slice(40))).toBe(expected(60, 1_040));
  });

  it('applies to the next source, if that began meanwhile', async () => {
    const { clock, platform, voice } = open();
    let isSlow = false;
    let opened = (): void => {};
    const first = sourceOf(() => isSlow && new Promise<void>((resolve) => (opened = resolve)));
    const stream = await voice.stream(CHANNEL, first);
    stream.queue.add(sourceOf());
    await play(clock, 100);
    isSlow = true;
    const changed = stream.setVolume(2);
    await Promise.resolve();
    stream.skip();
    opened();
    await changed;
    await play(clock, 2_300);
    expect(await stream.finished).toMatchObject({ reason: 'ended' });
    const sent = platform.payloads.filter(({ length }) => length > 3);
    expect(hashAudio(sent.slice(-99))).toBe(expected(99, 1_001));
  });
});
