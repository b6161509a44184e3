import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@virgule/core/clock';
import { DEFAULT_PROFILE } from '@virgule/core/protocol';
import { startSimulator } from '@virgule/simulator';
import { seededRandom } from '../soak/seeded-random.js';
import { startRedisServer } from './redis-server.js';

// As it was built, like everything that runs in a process of its own.
const PROGRAM = fileURLToPath(new URL('../../dist/bin/scale-process.js', import.meta.url));

/** From when to when after the last one a process is killed, in milliseconds. */
type Every = readonly [minMs: number, maxMs: number];

export interface ScaleOptions {
  /** Path of redis-server. */
  readonly redisServer: string;
  readonly commands: number;
  readonly perSecond: number;
  /** 0: one process without Redis. */
  readonly workers: number;
  readonly gateways: number;
  /** Longest time that a handler takes, in milliseconds. @defaultValue 20 */
  readonly workMs?: number | undefined;
  /** Time for the first answer, in milliseconds. @defaultValue that of the simulator */
  readonly answerWindowMs?: number | undefined;
  /** Processes that are killed while commands come, and the interval. */
  readonly kill?: {
    readonly worker?: Every | undefined;
    readonly redis?: Every | undefined;
    readonly gateway?: Every | undefined;
  };
  /** Signal that ends processes of the bot. @defaultValue `'SIGKILL'` */
  readonly signal?: 'SIGKILL' | 'SIGTERM' | undefined;
  readonly seed: number;
  /** `true` if the processes print their errors. */
  readonly isLogged?: boolean | undefined;
}

/** Options that each process of the bot receives. */
export interface ScaleProcessOptions {
  /** Distinguishes the bot on its Redis. */
  readonly app: string;
  readonly url: string;
  readonly platform: {
    readonly baseUrl: string;
    readonly gatewayUrl: string;
    readonly token: string;
  };
  readonly gateways: 'standby' | 'live';
  readonly workMs: number;
  readonly isLogged: boolean;
}

export interface ScaleFigures {
  readonly sent: number;
  /** Commands that came while no gateway was connected: the platform does not repeat them. */
  readonly unreceived: number;
  readonly answered: number;
  /** Commands without an answer, except commands that no gateway received. */
  readonly lost: number;
  /** Messages of the bot above one for each command. */
  readonly twice: number;
  /** Attempts to answer a command that was answered: a handler ran again. */
  readonly refused: number;
  readonly kills: Readonly<Record<'worker' | 'redis' | 'gateway', number>>;
  /** From a command to its answer, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** From a command to the start of its handler, in milliseconds. */
  readonly toHandlerP50Ms: number;
  /** Resident memory at the end, in MB: the mean of the processes of a role. */
  readonly memoryMb: Readonly<Record<string, number>>;
  /** Answers in a second, from the first command to the last answer. */
  readonly perSecond: number;
}

/** Runs a bot of several processes whose parts are killed while users run commands. */
export async function runScale(options: ScaleOptions): Promise<ScaleFigures> {
  const {
    commands,
    perSecond,
    workers,
    gateways,
    workMs = 20,
    kill = {},
    isLogged = false,
  } = options;
  const random = seededRandom(options.seed);
  const clock = systemClock;
  const redis = await startRedisServer(options.redisServer);
  const platform = await startSimulator({
    pageDir: null,
    // Otherwise two gateways would replace each other.
    profile: {
      sameTokenSockets: gateways > 1 ? 'broadcast' : 'replace',
      answerWindowMs: options.answerWindowMs ?? DEFAULT_PROFILE.answerWindowMs,
    },
  });
  const { baseUrl, gatewayUrl, token } = platform;
  const bot: ScaleProcessOptions = {
    app: randomUUID(),
    url: redis.url,
    platform: { baseUrl, gatewayUrl, token },
    gateways: gateways > 1 ? 'live' : 'standby',
    workMs,
    isLogged,
  };
  const children: { readonly role: string; child: ChildProcess }[] = [];
  const readyAtMs = new Map<ChildProcess, number>();
  let isOver = false;
  let failure: Error | undefined;

  const start = (role: string): ChildProcess => {
    const child = fork(PROGRAM, [role, JSON.stringify(bot)], {
      stdio: 'inherit',
      // The options of this process make imports lead to sources.
      execArgv: [],
    });
    child.once('message', () => readyAtMs.set(child, clock.monotonic()));
    child.once('exit', (code) => {
      // It was not killed, and did not end as it was asked to.
      if (code !== null && !isOver && !(code === 0 && options.signal === 'SIGTERM'))
        failure = new Error(`a ${role} ended with ${code}`);
      const place = children.find((one) => one.child === child);
      if (place && !isOver && !failure) place.child = start(role);
    });
    return child;
  };
  const startAll = async (role: string, count: number): Promise<void> => {
    const started = Array.from({ length: count }, () => ({ role, child: start(role) }));
    children.push(...started);
    await Promise.all(
      started.map(({ child }) => Promise.race([once(child, 'message'), once(child, 'exit')])),
    );
    if (failure) throw failure;
  };

  const kills = { worker: 0, redis: 0, gateway: 0 };
  const killer = async (what: keyof typeof kills, every: Every | undefined): Promise<void> => {
    if (!every) return;
    for (;;) {
      await clock.sleep(every[0] + random() * (every[1] - every[0]));
      if (isSent) return;
      if (what === 'redis') {
        kills.redis += 1;
        await redis.kill();
        await redis.start();
        continue;
      }
      const running = children.filter(({ role }) => role === what);
      // The platform repeats no event, and only memory holds an event that Redis has not stored. So another gateway has to
      // have received each unanswered command, however long the gateways start.
      const isCovered = (): boolean => {
        const sinceMs = Math.max(...running.map(({ child }) => readyAtMs.get(child) ?? Infinity));
        const isAnswered = ([id, atMs]: [string, number]) => atMs > sinceMs || tookMs.has(id);
        return sinceMs < Infinity && [...sentAtMs].every(isAnswered);
      };
      if (what === 'gateway')
        await until(() => isSent || failure !== undefined || isCovered(), 60_000);
      if (isSent || failure) return;
      // A second SIGTERM ends a process that drains.
      const left = running.filter(({ child }) => !child.killed);
      const { child } = left[Math.floor(random() * left.length)] ?? {};
      if (child?.kill(options.signal ?? 'SIGKILL')) kills[what] += 1;
    }
  };

  let startMs = 0;
  let lastMs = 0;
  const sentAtMs = new Map<string, number>();
  const tookMs = new Map<string, number>();
  const sentAtNs = new Map<string, bigint>();
  const toHandlerMs: number[] = [];
  const memoryMb: Record<string, number> = {};
  let messages = 0;
  let unreceived = 0;
  let isSent = false;
  const seen = new Set<string>();
  platform.on((event) => {
    if (event.type === 'message') {
      const { id, content, interactionId } = event.message;
      const [, beganNs] = /^done by \d+ (\d+)$/.exec(content) ?? [];
      if (beganNs !== undefined && !seen.has(id)) {
        messages += 1;
        const sentNs = sentAtNs.get(interactionId ?? '');
        if (sentNs !== undefined) toHandlerMs.push(Number(BigInt(beganNs) - sentNs) / 1e6);
      }
      seen.add(id);
    }
    if (event.type !== 'interaction' || event.interaction.state !== 'answered') return;
    const { id } = event.interaction;
    const at = sentAtMs.get(id);
    if (at === undefined || tookMs.has(id)) return;
    lastMs = clock.monotonic();
    tookMs.set(id, lastMs - at);
  });

  try {
    await startAll(workers === 0 ? 'single' : 'gateway', gateways);
    await startAll('worker', workers);
    if (workers === 0) await until(() => platform.counts.sockets > 0);
    const killing = Promise.all([
      killer('worker', kill.worker),
      killer('redis', kill.redis),
      killer('gateway', kill.gateway),
    ]);
    startMs = clock.monotonic();
    for (let n = 0; n < commands; n += 1) {
      const waitMs = startMs + (n * 1_000) / perSecond - clock.monotonic();
      if (waitMs > 0) await clock.sleep(waitMs);
      const isConnected = platform.counts.sockets > 0;
      const atMs = clock.monotonic();
      // The same for all processes of a machine.
      const atNs = process.hrtime.bigint();
      const { id } = platform.run({ rawInput: '/work' });
      sentAtNs.set(id, atNs);
      if (isConnected) sentAtMs.set(id, atMs);
      else unreceived += 1;
    }
    isSent = true;
    await until(() => tookMs.size >= sentAtMs.size, 45_000).catch(() => {});
    await killing;
    if (failure) throw failure;
    for (const role of new Set(children.map((one) => one.role))) {
      const sizes = children.filter((one) => one.role === role).map(({ child }) => memoryOf(child));
      memoryMb[role] = Math.round(sizes.reduce((sum, mb) => sum + mb, 0) / sizes.length);
    }
  } finally {
    isOver = true;
    for (const { child } of children) child.kill('SIGKILL');
    await platform.close();
    await redis.close();
  }
  const times = [...tookMs.values()];
  const at = (share: number): number => quantile(times, share);
  const { requests } = platform.counts;
  return {
    sent: commands,
    unreceived,
    answered: tookMs.size,
    lost: sentAtMs.size - tookMs.size,
    twice: messages - tookMs.size,
    refused: requests['interactions.respond'] - messages,
    kills,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    toHandlerP50Ms: quantile(toHandlerMs, 0.5),
    memoryMb,
    perSecond: Math.round((1_000 * tookMs.size) / (lastMs - startMs)),
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Number((sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(2));
}

/** Returns the resident memory of a process, in MB; 0 if it has ended. */
function memoryOf({ pid }: ChildProcess): number {
  try {
    const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kb) / 1_024;
  } catch {
    return 0;
  }
}

/** Returns one line of a table. */
export function formatScale(figures: ScaleFigures): string {
  const { sent, unreceived, answered, lost, twice, refused, kills, p50Ms, p99Ms, maxMs } = figures;
  const killed = `${kills.worker}/${kills.redis}/${kills.gateway}`;
  return `| ${[sent, unreceived, answered, lost, twice, refused, killed, p50Ms, p99Ms, maxMs].join(' | ')} |`;
}

/** Resolves when a condition holds. Fails after 10 s, or `withinMs`. */
async function until(condition: () => boolean, withinMs = 10_000): Promise<void> {
  const endMs = systemClock.monotonic() + withinMs;
  while (!condition()) {
    if (systemClock.monotonic() > endMs) throw new Error('the bot does not connect');
    await systemClock.sleep(5);
  }
}
