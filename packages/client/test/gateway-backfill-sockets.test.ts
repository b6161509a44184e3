import { describe, expect, it } from 'vitest';
import { connectTo } from './connect-to.js';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import { startGatewayServer } from './faults/gateway-server.js';
import { startScriptedServer } from './scripted-server.js';
import { CHANNEL, openRest } from './test-rest.js';

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
    const platform = await startGatewayServer();
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
