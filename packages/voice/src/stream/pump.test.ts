import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { CHANNEL, openFakePlatform } from '../../test/fake-platform.js';
import { packetsOf, play } from '../../test/playing.js';
import type { AudioSource } from '../source/audio-source.js';

describe('the queue of a stream', () => {
  it('opens the next source while the one before plays, and the one after it later', async () => {
    const clock = createFakeClock();
    const { voice } = openFakePlatform({ clock });
    const events: string[] = [];
    const source = (name: string, count: number): AudioSource => ({
      name,
      isReopenable: false,
      hasVolume: false,
      open() {
        const playing = voice.get(CHANNEL);
        events.push(`open ${name}, at ${playing?.positionMs} ms of ${playing?.playing}`);
        return packetsOf(count);
      },
    });
    const stream = await voice.stream(CHANNEL, source('first', 10));
    const listened = (async () => {
      for await (const event of stream.events())
        if (event.type === 'track') events.push(`play ${event.name}`);
    })();
    stream.queue.add(source('second', 1_000));
    stream.queue.add(source('third', 1));
    await play(clock, 400);
    await stream.close();
    await listened;
    // 20 seconds of the second are more than is read ahead.
    expect(events).toEqual([
      'open first, at 0 ms of first',
      'open second, at 0 ms of first',
      'play second',
    ]);
  });
});

describe('a stream whose source sends nothing for a while', () => {
  it('plays all that was read before it is buffering', async () => {
    const clock = createFakeClock();
    const { voice } = openFakePlatform({ clock });
    async function* slow() {
      yield* packetsOf(30);
      await clock.sleep(1_000);
      yield* packetsOf(20);
    }
    const stream = await voice.stream(CHANNEL, slow());
    await play(clock, 200);
    expect(stream.state).toBe('playing');
    await play(clock, 500);
    const { state, positionMs, stats } = stream;
    expect([state, positionMs, stats.underruns]).toEqual(['buffering', 600, 1]);
    await play(clock, 500);
    expect(stream.state).toBe('playing');
    await play(clock, 600);
    expect(await stream.finished).toMatchObject({ playedMs: 1_000, underruns: 1 });
  });
});
