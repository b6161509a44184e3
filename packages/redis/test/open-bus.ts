import { randomUUID } from 'node:crypto';
import { silentLog } from '@virgule/core/log';
import { createBus } from '../src/bus/bus.js';
import { keysOf } from '../src/bus/keys.js';
import { connect, type Connection } from '../src/connection/connection.js';

/** Opens a connection of a test. */
export async function openConnection(url: string): Promise<Connection> {
  const connection = connect({ url, log: silentLog, purpose: 'test' });
  await connection.ready();
  return connection;
}

/** Opens the buses of several processes of one bot, with keys that no other test uses. */
export async function openBuses(url: string, ...holders: readonly string[]) {
  const connection = await openConnection(url);
  const reader = await openConnection(url);
  const keys = keysOf(randomUUID());
  const buses = holders.map((holder) => createBus(connection, keys, holder));
  await buses[0]?.createGroups();
  return {
    connection,
    reader,
    keys,
    buses,
    /** Makes a worker look as if it had not renewed its lease. */
    async expire(holder: string): Promise<void> {
      await connection.call('ZADD', keys.workers, 1, holder);
    },
    close() {
      connection.close();
      reader.close();
    },
  };
}

/** Returns a command. */
export const commandEntry = (interactionId: string, channelId = 'a') => ({
  t: 'APPLICATION_COMMAND',
  d: { interactionId, channelId, serverId: 's', name: 'x', rawInput: '/x' },
  atMs: 1,
});

/** Returns a message. */
export const messageEntry = (id: string, channelId = 'a') => ({
  t: 'MESSAGE_CREATE',
  d: { id, channelId },
  atMs: 1,
});
