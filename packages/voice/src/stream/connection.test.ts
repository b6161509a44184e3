import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHANNEL, openFakePlatform } from '../../test/fake-platform.js';
import { packetOf } from '../../test/ogg.js';
import { packetsOf, play } from '../../test/playing.js';
import type { Host, HostListener } from '../host/message.js';
import { createSilentHost } from '../host/silent-host.js';
import type { AudioSource } from '../source/audio-source.js';

function open(options: Omit<Parameters<typeof openFakePlatform>[0], 'clock'> = {}) {
  const clock = createFakeClock();
  const platform = openFakePlatform({ clock, ...options });
  onTestFinished(async () => {
    await Promise.all([platform.voice.close(), play(clock, 1_000)]);
  });
  const count = (call: string): number => platform.calls.filter((each) => each === call).length;
  return { clock, platform, voice: platform.voice, count };
}

describe('a connection', () => {
  it('is opened again when a media server is away for less than 10 s', async () => {
    const { clock, platform, voice } = open({ offers: [201, 503, 0, 201] });
    const stream = await voice.stream(CHANNEL, packetsOf(2_000));
    platform.setState('failed');
    await play(clock, 9_900);
    expect(stream.state).toBe('reconnecting');
    await play(clock, 300);
    expect(stream.state).toBe('playing');
  });

  it('is lost after 3 attempts, with the last reason', async () => {
    const { clock, platform, voice, count } = open({ offers: [201, 0, 0, 0] });
    const stream = await voice.stream(CHANNEL, packetsOf(500));
    platform.setState('closed');
    await play(clock, 10_100);
    const { reason, error } = await stream.finished;
    expect([reason, String(error)]).toEqual([
      'lost',
      `VirguleError: The stream to the voice channel ${CHANNEL} was lost after 3 attempts: The ingress at https://media.test cannot be reached: connection reset.`,
    ]);
    expect([count('open'), count('close')]).toEqual([4, 4]);
  });

  it('is lost when it breaks soon again and again, instead of opening ingresses without end', async () => {
    const { clock, platform, voice, count } = open();
    const stream = await voice.stream(CHANNEL, packetsOf(5_000));
    for (let atMs = 0; atMs < 15_000; atMs += 20) {
      if (stream.state === 'playing') platform.setState('failed');
      await clock.advance(20);
    }
    expect([count('open'), count('close')]).toEqual([4, 4]);
    expect(await stream.finished).toMatchObject({ reason: 'lost' });
  });

  it('has 3 attempts again after one that lasted', async () => {
    const { clock, platform, voice } = open();
    const stream = await voice.stream(CHANNEL, packetsOf(5_000));
    for (let round = 0; round < 5; round += 1) {
      platform.setState('failed');
      await play(clock, 6_000);
      expect(stream.state).toBe('playing');
    }
  });

  it('that the platform refuses rejects with its error, and leaves nothing', async () => {
    const refusal = new Error('refused');
    const remembered = new Set<string>();
    const journal = {
      open(channelId: string) {
        remembered.add(channelId);
        return () => void remembered.delete(channelId);
      },
      left: () => [],
    };
    const openIngress = () => Promise.reject(refusal);
    const { clock, platform, voice } = open({ journal, openIngress });
    await expect(voice.stream(CHANNEL, packetsOf(10))).rejects.toBe(refusal);
    expect(platform.calls).toEqual(['open']);
    expect([...remembered]).toEqual([]);
    expect(voice.get(CHANNEL)).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it('that no process can be started for leaves nothing, and the next one plays', async () => {
    let isFull = true;
    const clock = createFakeClock();
    const openHost = (listener: HostListener): Host => {
      if (isFull) throw new Error('spawn ENOMEM');
      return createSilentHost({ clock, random: () => 0.5, ...listener });
    };
    const { voice } = openFakePlatform({ clock, openHost });
    await expect(voice.stream(CHANNEL, packetsOf(10))).rejects.toThrow('spawn ENOMEM');
    expect(voice.get(CHANNEL)).toBeUndefined();
    isFull = false;
    const stream = await voice.stream(CHANNEL, packetsOf(10));
    await play(clock, 500);
    expect(await stream.finished).toMatchObject({ reason: 'ended', playedMs: 200 });
  });

  it('that ends before its ingress is opened closes it', async () => {
    let answer = (): void => {};
    const opened = new Promise<void>((resolve) => (answer = resolve));
    const { clock, platform, voice } = open({ openIngress: () => opened });
    const controller = new AbortController();
    const call = voice.stream(CHANNEL, packetsOf(10), controller);
    await clock.advance(0);
    controller.abort(new Error('stop'));
    await clock.advance(2_000);
    answer();
    await expect(call).rejects.toThrow('stop');
    expect(platform.calls).toEqual(['open', 'close']);
  });

  it('says how often it tried when the first connection always fails', async () => {
    const { voice } = open({ fails: 3 });
    await expect(voice.stream(CHANNEL, packetsOf(10))).rejects.toMatchObject({
      code: 'E_VOICE_LOST',
      details: { attempts: 3 },
    });
  });

  it('is not tried again when the transport refuses the answer', async () => {
    const { voice, count } = open({
      loadTransport: async () => () => ({
        offer: async () => 'v=0',
        accept: () => Promise.reject(new Error('no fingerprint')),
        send() {},
        onState() {},
        async close() {},
      }),
    });
    await expect(voice.stream(CHANNEL, packetsOf(10))).rejects.toMatchObject({
      code: 'E_VOICE_INGRESS',
      details: { reason: 'no fingerprint' },
    });
    expect([count('open'), count('close')]).toEqual([1, 1]);
  });

  it('that cannot send is lost, and interrupts no other stream', async () => {
    let broken = 0;
    const sent: string[] = [];
    const { clock, voice } = open({
      async loadTransport() {
        return () => {
          let listener = (_state: 'connected'): void => {};
          const name = broken++ === 0 ? 'broken' : 'other';
          return {
            offer: async () => 'v=0',
            accept: async () => listener('connected'),
            send() {
              if (name === 'broken') throw new Error('EMSGSIZE');
              sent.push(name);
            },
            onState: (given) => (listener = given),
            async close() {},
          };
        };
      },
    });
    const [first, second] = await Promise.all([
      voice.stream(CHANNEL, packetsOf(1_000)),
      voice.stream('other', packetsOf(1_000)),
    ]);
    await play(clock, 1_000);
    expect([first.state, second.state]).toEqual(['playing', 'playing']);
    expect(sent.length).toBeGreaterThan(90);
  });

  it('continues in another host when the host ends', async () => {
    const { clock, platform, voice } = open();
    const stream = await voice.stream(CHANNEL, packetsOf(50));
    await play(clock, 300);
    platform.loseHost();
    await play(clock, 1_500);
    expect(await stream.finished).toMatchObject({ reason: 'ended' });
    const numbers = platform.payloads.filter((payload) => payload.length > 3).map(String);
    expect(new Set(numbers).size).toBe(50);
  });

  it('opens one ingress when the host ends meanwhile', async () => {
    let answer = (): void => {};
    const waits = [Promise.resolve(), new Promise<void>((resolve) => (answer = resolve))];
    const { clock, platform, voice } = open({ openIngress: async () => waits.shift() });
    await voice.stream('other', packetsOf(1_000));
    const second = voice.stream(CHANNEL, packetsOf(1_000));
    await clock.advance(0);
    platform.loseHost();
    await play(clock, 100);
    answer();
    await second;
    await play(clock, 500);
    // Two of the first stream, one of the second.
    expect(platform.calls.filter((call) => call === 'open')).toHaveLength(3);
    expect([...platform.calls].filter((call) => call === 'POST')).toHaveLength(3);
    expect(voice.get(CHANNEL)?.state).toBe('playing');
  });
});

describe('streams to one channel at once', () => {
  it('wait for all before them, whose end would otherwise close their ingress', async () => {
    const { clock, platform, voice } = open({ onEnd: () => clock.sleep(500) });
    await voice.stream(CHANNEL, packetsOf(1_000));
    const second = voice.stream(CHANNEL, packetsOf(1_000));
    const third = voice.stream(CHANNEL, packetsOf(1_000));
    await Promise.all([
      expect(second).rejects.toMatchObject({ code: 'E_VOICE_CALL' }),
      play(clock, 1_000),
    ]);
    await third;
    expect(platform.calls).toEqual(['open', 'POST', 'DELETE', 'close', 'open', 'POST']);
  });

  it('do not open the source of one that ends before it begins', async () => {
    const { clock, voice } = open({ onEnd: () => clock.sleep(500) });
    await voice.stream(CHANNEL, packetsOf(1_000));
    let opened = 0;
    const source: AudioSource = {
      name: 'a source',
      isReopenable: true,
      hasVolume: true,
      async *open() {
        opened += 1;
        yield packetOf(1);
      },
    };
    const controller = new AbortController();
    const second = voice.stream(CHANNEL, source, controller);
    controller.abort(new Error('stop'));
    await Promise.all([expect(second).rejects.toThrow('stop'), play(clock, 1_500)]);
    expect(opened).toBe(0);
  });
});
