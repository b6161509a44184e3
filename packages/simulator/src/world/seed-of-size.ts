import { simulatorErrors } from '../simulator/simulator-errors.js';
import { SEED, type Seed } from './seed.js';

/** Size of the platform. */
export interface SimulatorSize {
  /** Number of users, from 5 to 1,000, without the bot. @defaultValue 5 */
  readonly users?: number | undefined;
  /** Number of servers, from 3 to 100. @defaultValue 3 */
  readonly servers?: number | undefined;
  /** Maximum number of gateway sockets of the bot, from 1 to 200. @defaultValue 100 */
  readonly sockets?: number | undefined;
}

/** Maximum number of users and servers: the chat page shows all of them. */
export const MAX_USERS = 1_000;
export const MAX_SERVERS = 100;

/** Completes and checks a size. @throws VirguleError `E_SIM_SIZE`. */
export function resolveSize(size: SimulatorSize = {}) {
  const valueOf = (name: keyof SimulatorSize, min: number, usual: number, max: number): number => {
    const value = size[name] ?? usual;
    if (!Number.isInteger(value) || value < min || value > max)
      throw simulatorErrors.E_SIM_SIZE({ name, value, min, max });
    return value;
  };
  const { users, servers } = SEED;
  return {
    users: valueOf('users', users.length, users.length, MAX_USERS),
    servers: valueOf('servers', servers.length, servers.length, MAX_SERVERS),
    sockets: valueOf('sockets', 1, 100, 200),
  };
}

/** Returns the initial world with more users, all in the first server, and more servers, all with the bot. */
export function seedOfSize(size: { readonly users: number; readonly servers: number }): Seed {
  const users = numbersAfter(SEED.users.length, size.users).map((n) => ({
    username: `user-${n}`,
    displayName: `User ${n}`,
  }));
  const servers = numbersAfter(SEED.servers.length, size.servers).map((n) => ({
    name: `Server ${n}`,
    botInstalled: true,
    members: ['ada', 'grace'],
    channels: [{ name: 'general' }],
  }));
  const joined = users.map(({ username }) => username);
  const seeded = SEED.servers.map((server, index) =>
    index === 0 ? { ...server, members: [...server.members, ...joined] } : server,
  );
  return { users: [...SEED.users, ...users], servers: [...seeded, ...servers] };
}

/** Returns the numbers after `count` up to `last`. */
function numbersAfter(count: number, last: number): number[] {
  return Array.from({ length: last - count }, (_, index) => count + index + 1);
}
