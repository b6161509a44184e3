import { fileURLToPath } from 'node:url';
import { systemClock, systemRandom } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEngine } from '../src/host/engine.js';
import { loadTransport, TRANSPORT_NAMES } from '../src/transport/transport.js';
import { CHANNEL, openFakePlatform } from './fake-platform.js';
import { openLossyRelay } from './lossy-relay.js';
import { startWhipReceiver } from './whip-receiver.js';

const FILE = fileURLToPath(new URL('fixtures/tones.ogg', import.meta.url));
const LOSS = 0.05;
const DELAY_MS = 100;
/** Time that a packet of the sender plays, in milliseconds. */
const PACKET_MS = 20;

describe.each(TRANSPORT_NAMES)('a network that loses 5 % and delays by 100 ms, with %s', (name) => {
  it('costs the packets that it loses, and no connection', async () => {
    const relay = openLossyRelay({ loss: LOSS, delayMs: DELAY_MS, random: systemRandom });
    const receiver = await startWhipReceiver(undefined, relay);
    onTestFinished(async () => {
      await receiver.close();
      relay.close();
    });
    const { voice } = openFakePlatform({
      clock: systemClock,
      url: receiver.url,
      openHost: (listener) =>
        createEngine({
          ...listener,
          clock: systemClock,
          random: systemRandom,
          loadTransport: () => loadTransport([name]),
        }),
    });
    const stream = await voice.stream(CHANNEL, FILE);
    for (let count = 1; count < 10; count += 1) stream.queue.add(FILE);
    expect(await stream.finished).toMatchObject({
      reason: 'ended',
      underruns: 0,
      playedMs: 10_200,
    });
    const { packetsSent } = stream.stats;
    const [session] = receiver.sessions;
    const { packets = 0, lost = 0 } = session?.received ?? {};
    process.stdout.write(
      `${name}: ${packetsSent} sent, ${packets} received, ${lost} lost; the relay dropped ${relay.counts.dropped} of ${relay.counts.passed + relay.counts.dropped}\n`,
    );
    expect(receiver.sessions).toHaveLength(1);
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan((packets + lost) * 3 * LOSS);
    // The peer that sends the last flight of the handshake begins at once. If that flight is lost, the other peer can read
    // packets only after a repetition, 1 s later.
    expect(packetsSent - packets - lost).toBeLessThan(1_300 / PACKET_MS);
    await voice.close();
  });
});
