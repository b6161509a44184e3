import { describe, expect, it } from 'vitest';
import { connectTo, type Session } from './connect-to.js';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import { startGatewayServer, type GatewayServer, type Peer } from './faults/gateway-server.js';
import { startScriptedServer } from './scripted-server.js';
import { CHANNEL, openRest } from './test-rest.js';

type TwoSockets = 'broadcast' | 'replace' | 'refuse';

interface Platform extends GatewayServer {
  /** Sends an event to every socket that identified. */
  emit(t: string, d: object): void;
}

/** A platform that answers in one of the ways that are thinkable when a token connects twice. */
async function startPlatform(twoSockets: TwoSockets): Promise<Platform> {
  const identified = new Set<Peer>();
  const server = await startGatewayServer({
    identified(peer) {
      const { socket } = peer;
      if (twoSockets === 'refuse' && identified.size > 0) {
        socket.close(4009, 'another socket is open');
        return;
      }
      if (twoSockets === 'replace') {
        for (const other of identified) other.socket.close(4009, 'replaced');
        identified.clear();
      }
      identified.add(peer);
      socket.on('close', () => identified.delete(peer));
      peer.ready();
    },
  });
  const emit = (t: string, d: object): void => {
    for (const peer of identified) peer.send({ op: 'DISPATCH', t, d });
  };
  return Object.assign(server, { emit });
}

async function connect({ address }: Platform): Promise<Session> {
  const session = connectTo(address);
  await session.connected;
  return session;
}

describe('reconnect over real sockets', () => {
  it('loses and doubles nothing where both sockets get everything', async () => {
    const platform = await startPlatform('broadcast');
    const { gateway, clock, events, statuses } = await connect(platform);
    let n = 0;
    const isOver = Promise.all([
      gateway.reconnect({ reason: 'a test' }),
      (async () => {
        // All the while, and on both sides of every step of it.
        while (n < 300) {
          platform.emit('VOICE_STATE_UPDATE', { n });
          platform.emit('APPLICATION_COMMAND', { interactionId: `c${n}` });
          n += 1;
          await clock.advance(0);
        }
      })(),
    ]);
    expect((await isOver)[0]).toBe('seamless');
    platform.emit('VOICE_STATE_UPDATE', { n });
    await eventually(() => expect(events).toHaveLength(601));
    expect(new Set(events.map(({ d }) => JSON.stringify(d))).size).toBe(601);
    expect(statuses.map(({ state }) => state)).toEqual(['ready', 'ready']);
    await eventually(() => expect(platform.open).toBe(1));
  });

  it('goes over once, without a loop, where the newer socket replaces the older one', async () => {
    const platform = await startPlatform('replace');
    const { gateway, clock, statuses, events } = await connect(platform);
    expect(['gap', 'seamless']).toContain(await gateway.reconnect({ reason: 'a test' }));
    // Not so far that a heartbeat falls due, whose answer takes real time.
    await clock.advance(2_000);
    expect(platform.upgrades).toBe(2);
    expect(statuses.at(-1)).toMatchObject({ state: 'ready', reconnected: true });
    expect(statuses.map(({ state }) => state)).not.toContain('reconnecting');
    platform.emit('VOICE_STATE_UPDATE', {});
    await eventually(() => expect(events).toHaveLength(1));
  });

  it('stays with the old socket where a second one is refused', async () => {
    const platform = await startPlatform('refuse');
    const { gateway, clock, events } = await connect(platform);
    expect(await gateway.reconnect({ reason: 'a test' })).toBe('kept');
    await clock.advance(2_000);
    expect(platform.upgrades).toBe(2);
    platform.emit('VOICE_STATE_UPDATE', {});
    await eventually(() => expect(events).toHaveLength(1));
    expect(gateway.counts).toMatchObject({ gaps: 0, endings: { 4009: 1 } });
  });
});

describe('a gateway over a real socket', () => {
  it('reads back over REST what was written while it was away', async () => {
    const message = { ...Object(readFixture('message-with-nulls')), channelId: CHANNEL };
    const at = (id: string, agoMs: number) => {
      const createdAt = new Date(Date.UTC(2026, 0, 1) - agoMs).toISOString();
      return { ...message, id, createdAt };
    };
    const missed = at('11111111-1111-4111-8111-111111111111', 0);
    const older = at('22222222-2222-4222-8222-222222222222', 3_600_000);
    const server = await startScriptedServer(() => ({
      json: { messages: [missed, older], hasMore: true, oldestId: older.id },
    }));
    const rest = openRest(server.url);
    const platform = await startPlatform('broadcast');
    const { clock, events, connected } = connectTo(platform.address, {
      backfill: { rest, channels: () => [CHANNEL] },
    });
    await connected;
    platform.last.socket.terminate();
    await eventually(async () => {
      await clock.advance(0);
      expect(events).toHaveLength(1);
    });
    expect(events[0]).toMatchObject({ t: 'MESSAGE_CREATE', d: { id: missed.id }, recovered: true });
    expect(server.requests.map(({ path }) => path)).toEqual([
      `/api/bot/v1/channels/${CHANNEL}/messages`,
    ]);
  });
});
