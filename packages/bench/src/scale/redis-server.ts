import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Redis with its own port and folder. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Ends it with SIGKILL, like a crash. */
  kill(): Promise<void>;
  /** Starts it again on its port, with what its files hold. */
  start(): Promise<void>;
  /** Stops its process without ending it, as SIGSTOP does, or continues it. */
  freeze(isFrozen: boolean): void;
  close(): Promise<void>;
}

/** Starts a Redis. `settings` are lines of redis.conf: `['appendonly yes']`. Fails if `program` is empty. */
export async function startRedisServer(
  program: string,
  settings: readonly string[] = ['appendonly yes', 'appendfsync always'],
): Promise<RedisServer> {
  if (program === '') {
    throw new Error(
      'redis-server is missing: install it (Debian: apt-get install redis-server), or set REDIS_SERVER_PATH',
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'virgule-redis-'));
  const port = await freePort();
  let running: ChildProcess | undefined;
  const killNow = (): void => void running?.kill('SIGKILL');
  process.once('exit', killNow);

  const start = async (): Promise<void> => {
    const flags = ['save ""', ...settings].flatMap((line) => {
      const [name = '', ...values] = line.split(' ');
      return [`--${name}`, values.join(' ').replace(/^""$/, '')];
    });
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...flags];
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    running = child;
    let output = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Ready to accept connections')) resolve();
      });
      child.once('exit', () => reject(new Error(`redis-server ended:\n${output}`)));
      child.once('error', reject);
    });
  };
  const kill = async (): Promise<void> => {
    const child = running;
    running = undefined;
    if (!child || child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill,
    start,
    freeze: (isFrozen) => void running?.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT'),
    async close() {
      process.off('exit', killNow);
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
