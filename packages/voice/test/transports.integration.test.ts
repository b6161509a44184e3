import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { systemClock, systemRandom } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createVoiceMembers } from '../src/members/voice-members.js';
import { createEngine } from '../src/host/engine.js';
import { readOpus } from '../src/source/read-opus.js';
import { createStreams } from '../src/stream/streams.js';
import { loadTransport, TRANSPORT_NAMES } from '../src/transport/transport.js';
import { CHANNEL } from './fake-platform.js';
import { startWhipReceiver } from './whip-receiver.js';

const FILE = fileURLToPath(new URL('fixtures/tones.ogg', import.meta.url));

describe.each(TRANSPORT_NAMES)('a stream over %s', (name) => {
  it('arrives complete and unchanged, as stereo, and the session is ended', async () => {
    const receiver = await startWhipReceiver('key');
    onTestFinished(() => receiver.close());
    let closed = 0;
    const { url } = receiver;
    const ingress = { ingressId: 'i', url, streamKey: 'key', channelId: CHANNEL, participants: [] };
    const close = async (): Promise<void> => void (closed += 1);
    const unused = () => expect.unreachable();
    const rest = {
      voice: {
        openIngress: async () => ({ ...ingress, close, [Symbol.asyncDispose]: close }),
        closeIngress: unused,
        state: unused,
        join: unused,
        leave: unused,
      },
      servers: { list: unused, channels: unused, emojis: unused },
    };
    const voice = createStreams({
      rest,
      clock: systemClock,
      log: silentLog,
      members: createVoiceMembers(rest, silentLog),
      journal: { open: () => () => {}, left: () => [] },
      openHost: (listener) =>
        createEngine({
          ...listener,
          clock: systemClock,
          random: systemRandom,
          loadTransport: () => loadTransport([name]),
        }),
    });
    const stream = await voice.stream(CHANNEL, FILE);
    expect(await stream.finished).toMatchObject({ reason: 'ended', underruns: 0 });
    const [session] = receiver.sessions;
    const packets = await Readable.from(readOpus(Readable.from([readFileSync(FILE)]))).toArray();
    expect(session?.received.audioHash).toBe(
      createHash('sha256').update(Buffer.concat(packets)).digest('hex'),
    );
    expect(session?.received).toMatchObject({ lost: 0, isStereo: true });
    expect(session?.offer).toMatch(/a=fmtp:111 .*stereo=1;sprop-stereo=1/);
    expect(session?.offer.match(/^m=/gm)).toHaveLength(1);
    expect(receiver.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    expect(closed).toBe(1);
    await voice.close();
  });
});
