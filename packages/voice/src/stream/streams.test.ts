import { fileURLToPath } from 'node:url';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it, vi } from 'vitest';
import { CHANNEL, hashAudio, openFakePlatform } from '../../test/fake-platform.js';
import { expected, packetsOf, play } from '../../test/playing.js';

const FILE = fileURLToPath(new URL('../../test/fixtures/tones.ogg', import.meta.url));

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'none',
    (error: { readonly code?: unknown }) => error.code ?? error,
  );
}

function open(options: Omit<Parameters<typeof openFakePlatform>[0], 'clock'> = {}) {
  const clock = createFakeClock();
  return { clock, platform: openFakePlatform({ clock, ...options }) };
}

describe('voice.stream', () => {
  it('sends every packet unchanged each 20 ms, then closes the session and the ingress', async () => {
    const { clock, platform } = open();
    const stream = await platform.voice.stream(CHANNEL, packetsOf(250));
    expect(stream.state).toBe('buffering');
    expect(platform.calls).toEqual(['open', 'POST']);
    await play(clock, 5_000);
    expect(platform.packets).toHaveLength(250);
    expect(stream.positionMs).toBe(5_000);
    await play(clock, 200);
    expect(await stream.finished).toEqual({ reason: 'ended', playedMs: 5_000, underruns: 0 });
    expect(platform.audioHash).toBe(expected(250));
    expect(platform.calls).toEqual(['open', 'POST', 'DELETE', 'close']);
    expect(platform.voice.get(CHANNEL)).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it('has counted every packet at its end, with those of silence', async () => {
    const { clock, platform } = open();
    const stream = await platform.voice.stream(CHANNEL, packetsOf(20));
    await play(clock, 1_000);
    await stream.finished;
    expect(platform.packets).toHaveLength(25);
    expect(stream.stats.packetsSent).toBe(25);
  });

  it('numbers the packets without a gap, and counts 48 samples for each millisecond', async () => {
    const { clock, platform } = open();
    await platform.voice.stream(CHANNEL, packetsOf(10));
    await play(clock, 400);
    const [first] = platform.packets;
    for (const [index, packet] of platform.packets.entries()) {
      expect(packet.readUInt16BE(2)).toBe(((first?.readUInt16BE(2) ?? 0) + index) % 65_536);
      expect(packet.readUInt32BE(4)).toBe(((first?.readUInt32BE(4) ?? 0) + index * 960) % 2 ** 32);
      expect(packet[1]).toBe(111);
    }
    await platform.voice.close();
  });

  it('sends packets of other durations at their time', async () => {
    const { clock, platform } = open();
    async function* long() {
      // Two frames of 60 ms: 120 ms a packet.
      for (let number = 0; number < 10; number += 1)
        yield Uint8Array.of((3 << 3) | 1, 1, 2, 3, number);
    }
    await platform.voice.stream(CHANNEL, long());
    await play(clock, 1_200);
    expect(platform.packets).toHaveLength(10);
    await platform.voice.close();
  });

  it('sends silence at once while the source loads, and counts when it is too slow', async () => {
    const { clock, platform } = open();
    let more = (_packets: AsyncIterable<Uint8Array>): void => {};
    async function* slow() {
      for (let round = 0; round < 2; round += 1) {
        yield* await new Promise<AsyncIterable<Uint8Array>>((resolve) => (more = resolve));
      }
    }
    const opened = platform.voice.stream(CHANNEL, slow());
    await play(clock, 100);
    expect(platform.payloads.map((payload) => payload.length)).toEqual([3, 3, 3, 3, 3]);
    more(packetsOf(5));
    const stream = await opened;
    await play(clock, 300);
    more(packetsOf(5, 5));
    await play(clock, 400);
    expect(await stream.finished).toEqual({ reason: 'ended', playedMs: 200, underruns: 1 });
    expect(platform.audioHash).toBe(expected(10));
  });

  it.each([
    { blockedMs: 700, skippedMs: 0 },
    { blockedMs: 2_000, skippedMs: 1_200 },
  ])(
    'catches up when the event loop was blocked for $blockedMs ms, and loses no audio',
    async ({ blockedMs, skippedMs }) => {
      const { clock, platform } = open();
      const stream = await platform.voice.stream(CHANNEL, packetsOf(200));
      await play(clock, 100);
      clock.stall(blockedMs);
      await play(clock, 20);
      expect(platform.packets).toHaveLength(5 + (blockedMs + 20 - skippedMs) / 20);
      await play(clock, 4_200);
      expect(await stream.finished).toMatchObject({ reason: 'ended', underruns: 0 });
      expect(stream.stats.skippedMs).toBe(skippedMs);
      expect(platform.audioHash).toBe(expected(200));
    },
  );

  it('pauses with silence, and continues where it was', async () => {
    const { clock, platform } = open();
    const stream = await platform.voice.stream(CHANNEL, packetsOf(20));
    await play(clock, 200);
    stream.pause();
    await play(clock, 1_000);
    expect(stream.state).toBe('paused');
    expect(platform.packets).toHaveLength(60);
    stream.resume();
    await play(clock, 400);
    expect(await stream.finished).toMatchObject({ reason: 'ended', playedMs: 400, underruns: 0 });
    expect(platform.audioHash).toBe(expected(20));
  });

  it('plays a queue without a gap, and skips', async () => {
    const { clock, platform } = open();
    const stream = await platform.voice.stream(CHANNEL, packetsOf(10));
    stream.queue.add(packetsOf(10, 10));
    stream.queue.add(packetsOf(1_000, 1_000));
    stream.queue.add(packetsOf(10, 20));
    expect(stream.queue.names).toHaveLength(3);
    await play(clock, 420);
    expect(stream.queue.names).toHaveLength(1);
    stream.skip();
    await play(clock, 500);
    expect(await stream.finished).toMatchObject({ reason: 'ended', underruns: 0 });
    const audio = platform.payloads.filter((payload) => payload.length > 3);
    expect(hashAudio(audio.slice(0, 20))).toBe(expected(20));
    expect(hashAudio(audio.slice(-10))).toBe(expected(10, 20));
    expect(audio.length).toBeLessThan(35);
    // No silence between the first two.
    expect(platform.payloads.slice(0, 20).every((payload) => payload.length > 3)).toBe(true);
  });

  it('ends when its last source is skipped', async () => {
    const { platform } = open();
    const stream = await platform.voice.stream(CHANNEL, packetsOf(1_000));
    stream.skip();
    expect(await stream.finished).toMatchObject({ reason: 'ended' });
    expect(platform.calls.at(-1)).toBe('close');
    expect(() => stream.pause()).toThrow(expect.objectContaining({ code: 'E_VOICE_CALL' }));
  });

  it('seeks in a file', async () => {
    const { clock, platform } = open();
    const stream = await platform.voice.stream(CHANNEL, FILE);
    expect(stream.playing).toBe(FILE);
    for (const position of [-1, Infinity, '500' as unknown as number])
      await expect(stream.seek(position)).rejects.toThrow('it has no such position');
    await stream.seek(500);
    expect(stream.positionMs).toBe(500);
    // The file is read in threads, which a busy machine starts late: no number of turns is long enough.
    await vi.waitFor(
      async () => {
        await clock.advance(20);
        expect(stream.state).toBe('closed');
      },
      { timeout: 60_000, interval: 1 },
    );
    const { reason, playedMs } = await stream.finished;
    expect(reason).toBe('ended');
    expect(playedMs).toBeLessThanOrEqual(540);
    expect(playedMs).toBeGreaterThanOrEqual(500);
  });

  it('does not seek in what can be read only once', async () => {
    const { platform } = open();
    const stream = await platform.voice.stream(CHANNEL, packetsOf(10));
    expect(await codeOf(stream.seek(0))).toBe('E_VOICE_SOURCE');
    expect(await codeOf(stream.setVolume(2))).toBe('E_VOICE_SOURCE');
    await stream.close();
  });

  it.each(['aborted', 'closed', 'disposed', 'bot'])('closes the ingress when %s', async (how) => {
    const { clock, platform } = open();
    const controller = new AbortController();
    const stream = await platform.voice.stream(CHANNEL, packetsOf(1_000), controller);
    await play(clock, 100);
    if (how === 'aborted') controller.abort();
    else if (how === 'disposed') await stream[Symbol.asyncDispose]();
    else await (how === 'closed' ? stream : platform.voice).close();
    const { reason } = await stream.finished;
    expect(reason).toBe(how === 'aborted' ? 'aborted' : 'closed');
    expect(platform.calls).toEqual(['open', 'POST', 'DELETE', 'close']);
    const sent = platform.packets.length;
    await play(clock, 1_000);
    expect(platform.packets).toHaveLength(sent);
    expect(clock.pending).toBe(0);
  });

  it('closes the ingress when it is aborted while it connects', async () => {
    const { clock, platform } = open({ connects: false });
    const controller = new AbortController();
    const opened = codeOf(platform.voice.stream(CHANNEL, packetsOf(10), controller));
    await clock.advance(100);
    controller.abort(new Error('stop'));
    expect(await opened).toEqual(new Error('stop'));
    expect(platform.calls).toEqual(['open', 'POST', 'DELETE', 'close']);
  });

  it('has one stream in a channel: it replaces, or is rejected', async () => {
    const { platform } = open();
    const first = await platform.voice.stream(CHANNEL, packetsOf(1_000));
    const reject = { ifBusy: 'reject' } as const;
    expect(await codeOf(platform.voice.stream(CHANNEL, packetsOf(1), reject))).toBe('E_VOICE_BUSY');
    const second = await platform.voice.stream(CHANNEL, packetsOf(1_000));
    expect(await first.finished).toMatchObject({ reason: 'replaced' });
    expect(platform.voice.get(CHANNEL)).toBe(second);
    expect(platform.calls).toEqual(['open', 'POST', 'DELETE', 'close', 'open', 'POST']);
    await platform.voice.close();
    expect(await codeOf(platform.voice.stream(CHANNEL, packetsOf(1)))).toBe('E_VOICE_CALL');
  });

  it('rejects with the error of a source that cannot be played, with the ingress closed', async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (_: object, line: string) => void warnings.push(line) };
    const { platform } = open({ log });
    expect(await codeOf(platform.voice.stream(CHANNEL, '/no/such/file.ogg'))).toBe(
      'E_VOICE_SOURCE',
    );
    expect(platform.calls.filter((call) => call === 'open')).toHaveLength(
      platform.calls.filter((call) => call === 'close').length,
    );
    // The caller gets the error: it is not logged as well.
    expect(warnings).toEqual([]);
    expect(platform.voice.get(CHANNEL)).toBeUndefined();
  });

  it('plays the next source after one that fails', async () => {
    const { clock, platform } = open();
    async function* broken() {
      yield* packetsOf(5);
      throw new Error('broken');
    }
    const stream = await platform.voice.stream(CHANNEL, broken());
    stream.queue.add(packetsOf(5, 5));
    await play(clock, 500);
    expect(await stream.finished).toEqual({ reason: 'ended', playedMs: 200, underruns: 0 });
    expect(platform.audioHash).toBe(expected(10));
  });

  it('ends with the reason of its last source, whatever failed before', async () => {
    const { clock, platform } = open();
    const failing = (message: string) =>
      (async function* () {
        yield* packetsOf(1);
        throw new Error(message);
      })();
    const stream = await platform.voice.stream(CHANNEL, packetsOf(5));
    stream.queue.add(failing('first'));
    stream.queue.add(packetsOf(5));
    stream.queue.add(failing('last'));
    await play(clock, 600);
    expect(await stream.finished).toMatchObject({
      reason: 'source-error',
      playedMs: 240,
      error: new Error('last'),
    });
  });

  it.each([
    [401, 'E_VOICE_INGRESS'],
    [409, 'E_VOICE_INGRESS'],
    [503, 'E_VOICE_INGRESS'],
    [0, 'E_VOICE_INGRESS'],
  ])('rejects when the media server answers %i, with the ingress closed', async (status, code) => {
    const { platform } = open({ offers: [status] });
    expect(await codeOf(platform.voice.stream(CHANNEL, packetsOf(10)))).toBe(code);
    expect(platform.calls).toEqual(['open', 'POST', 'close']);
  });

  it('rejects when no connection is established within 10 s', async () => {
    const { clock, platform } = open({ connects: false });
    const opened = codeOf(platform.voice.stream(CHANNEL, packetsOf(10)));
    await clock.advance(10_000);
    expect(await opened).toBe('E_VOICE_LOST');
    expect(platform.calls).toEqual(['open', 'POST', 'DELETE', 'close']);
  });

  it('connects again when the first connection fails at once', async () => {
    const { clock, platform } = open({ fails: 1 });
    const stream = await platform.voice.stream(CHANNEL, packetsOf(10));
    expect(platform.calls).toEqual(['open', 'POST', 'DELETE', 'close', 'open', 'POST']);
    await play(clock, 500);
    expect(await stream.finished).toMatchObject({ reason: 'ended', playedMs: 200 });
    expect(platform.audioHash).toBe(expected(10));
    const lost = open({ fails: 3 });
    expect(await codeOf(lost.platform.voice.stream(CHANNEL, packetsOf(10)))).toBe('E_VOICE_LOST');
    expect(lost.platform.calls.filter((call) => call === 'close')).toHaveLength(3);
  });

  it('opens another ingress when the connection is lost, and continues', async () => {
    const { clock, platform } = open();
    const stream = await platform.voice.stream(CHANNEL, packetsOf(50));
    await play(clock, 500);
    platform.setState('failed');
    await clock.advance(0);
    await play(clock, 1_000);
    expect(platform.calls.filter((call) => call === 'open')).toHaveLength(2);
    await play(clock, 400);
    expect(await stream.finished).toMatchObject({ reason: 'ended', playedMs: 1_000 });
    expect(platform.calls.filter((call) => call === 'close')).toHaveLength(2);
    expect(new Set(platform.payloads.map(String)).size).toBe(51);
  });

  it('waits for a connection that recovers', async () => {
    const { clock, platform } = open();
    await platform.voice.stream(CHANNEL, packetsOf(500));
    platform.setState('disconnected');
    await play(clock, 3_900);
    platform.setState('connected');
    await play(clock, 1_000);
    expect(platform.calls).toEqual(['open', 'POST']);
    await platform.voice.close();
  });

  it('reports its states', async () => {
    const { clock, platform } = open();
    const stream = await platform.voice.stream(CHANNEL, packetsOf(20));
    const events: string[] = [];
    const listened = (async () => {
      for await (const event of stream.events()) {
        events.push(event.type === 'state' ? event.state : event.type);
      }
    })();
    stream.queue.add(packetsOf(20, 20));
    await play(clock, 200);
    stream.pause();
    await play(clock, 100);
    stream.resume();
    await play(clock, 1_000);
    await listened;
    expect(events).toEqual(['playing', 'paused', 'buffering', 'playing', 'track', 'closed']);
  });

  it('returns who is in a channel', async () => {
    const { platform } = open();
    expect(await platform.voice.members(CHANNEL)).toMatchObject([{ username: 'ada' }]);
    expect(await platform.voice.members('other')).toEqual([]);
  });

  it('is not found once it ends, and does not reject another one, which waits', async () => {
    const { clock, platform } = open();
    const stream = await platform.voice.stream(CHANNEL, packetsOf(1_000));
    const closing = stream.close();
    expect(platform.voice.get(CHANNEL)).toBeUndefined();
    const next = platform.voice.stream(CHANNEL, packetsOf(10), { ifBusy: 'reject' });
    await closing;
    expect(platform.voice.get(CHANNEL)).toBe(await next);
    expect(platform.calls).toEqual(['open', 'POST', 'DELETE', 'close', 'open', 'POST']);
    await play(clock, 500);
    expect((await (await next).finished).reason).toBe('ended');
  });

  it('ends though the platform never answers that the ingress is closed', async () => {
    const { clock, platform } = open({ onClose: () => new Promise(() => {}) });
    const stream = await platform.voice.stream(CHANNEL, packetsOf(1_000));
    void stream.close();
    await clock.advance(1_000);
    expect(await stream.finished).toMatchObject({ reason: 'closed' });
    expect(platform.calls).toEqual(['open', 'POST', 'DELETE', 'close']);
  });
});
