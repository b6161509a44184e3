import { Readable } from 'node:stream';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { CHANNEL, openFakePlatform } from '../../test/fake-platform.js';
import { oggFile, packetOf } from '../../test/ogg.js';
import { packetsOf, play } from '../../test/playing.js';
import { toSource, type SourceInput } from './audio-source.js';

const PACKETS = [packetOf(1), packetOf(2), packetOf(3)];
const FILE = oggFile(PACKETS);

async function read(input: SourceInput, fromMs = 0): Promise<unknown> {
  const { signal } = new AbortController();
  const packets = toSource(input).open({ volume: 1, fromMs, signal, clock: createFakeClock() });
  return Readable.from(packets).toArray();
}

describe('toSource', () => {
  it('reads a file from memory, from any position', async () => {
    expect(await read(FILE)).toEqual(PACKETS);
    expect(await read(FILE, 40)).toEqual(PACKETS.slice(2));
  });

  it('reads the body of a response', async () => {
    const { body } = new Response(new Uint8Array(FILE));
    expect(body && (await read(body))).toEqual(PACKETS);
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'it is null'],
    ['a number', 7, 'it is of the type number'],
    ['a list', PACKETS, 'it is of the type object'],
    ['an object whose open is no function', { open: true }, 'it is of the type object'],
    ['the URL of another machine', 'file://host/song.ogg', 'File URL host'],
  ])('fails with E_VOICE_SOURCE for %s', (_name, input, reason) => {
    // As from a bot without types.
    expect(() => toSource(input as never)).toThrow(
      expect.objectContaining({
        code: 'E_VOICE_SOURCE',
        message: expect.stringContaining(reason) as string,
      }),
    );
  });
});

describe('a Readable in the queue of a stream', () => {
  const open = async () => {
    const clock = createFakeClock();
    const { voice } = openFakePlatform({ clock });
    return { clock, stream: await voice.stream(CHANNEL, packetsOf(600)) };
  };

  it('that fails before its turn is a source that fails, and the bot runs', async () => {
    const { clock, stream } = await open();
    const input = new Readable({ read() {} });
    stream.queue.add(input);
    input.destroy(new Error('broken'));
    // Without a listener, the event would end the process.
    await new Promise((resolve) => input.once('close', resolve));
    await play(clock, 12_500);
    expect(await stream.finished).toMatchObject({
      reason: 'source-error',
      playedMs: 12_000,
      error: new Error('broken'),
    });
  });

  it('is destroyed when the stream ends before its turn', async () => {
    const { stream } = await open();
    const input = new Readable({ read() {} });
    stream.queue.add(input);
    await stream.close();
    expect(input.destroyed).toBe(true);
  });

  it('is destroyed when it is skipped, though it sends nothing', async () => {
    const clock = createFakeClock();
    const { voice } = openFakePlatform({ clock });
    const input = new Readable({ read() {} });
    input.push(FILE);
    const stream = await voice.stream(CHANNEL, input);
    stream.queue.add(packetsOf(10));
    await play(clock, 200);
    stream.skip();
    expect(input.destroyed).toBe(true);
    await voice.close();
  });
});

describe('a source that a bot defines', () => {
  it.each<[string, unknown]>([
    ['a number', 7],
    ['empty', new Uint8Array()],
  ])('fails at a packet that is %s, and interrupts no other stream', async (_name, packet) => {
    const clock = createFakeClock();
    const { voice } = openFakePlatform({ clock });
    const other = await voice.stream('other', packetsOf(500));
    const source = {
      name: 'broken',
      isReopenable: false,
      hasVolume: false,
      async *open() {
        yield* packetsOf(10);
        yield packet;
      },
    };
    // As from a bot without types.
    const stream = await voice.stream(CHANNEL, source as never);
    await play(clock, 1_000);
    expect(await stream.finished).toMatchObject({
      reason: 'source-error',
      playedMs: 200,
      error: { code: 'E_VOICE_SOURCE' },
    });
    expect(other.state).toBe('playing');
    await voice.close();
  });
});
