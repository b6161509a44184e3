import { startSimulator, type Simulator } from '@virgule/simulator';
import { COMMANDS_PER_SECOND, EVENTS_PER_SECOND, numberIn, PREFIX } from './soak-records.js';

export interface SoakPlatform {
  readonly port: number;
  readonly token: string;
  readonly channelId: string;
  /** Starts to write messages and to run commands as users do. */
  begin(): void;
  end(): void;
  /** Times when they were sent, in milliseconds since the epoch. */
  readonly eventsAtMs: readonly number[];
  readonly commandsAtMs: readonly number[];
  /** Number of times each call of the bot took effect. */
  readonly effects: readonly number[];
  close(): Promise<void>;
}

/** Short, so that a dead connection is detected within minutes; in milliseconds. */
const HEARTBEAT_MS = 5_000;

const CHANNEL = 'general';

/** Starts the simulator with users, and records what they and the bot do. */
export async function startSoakPlatform(): Promise<SoakPlatform> {
  const simulator: Simulator = await startSimulator({
    profile: { heartbeat: { intervalMs: HEARTBEAT_MS } },
    pageDir: null,
  });
  const channel = simulator.snapshot().channels.find(({ name }) => name === CHANNEL);
  if (!channel) throw new Error(`The simulator has no channel ${CHANNEL}.`);
  const effects: number[] = [];
  const eventsAtMs: number[] = [];
  const commandsAtMs: number[] = [];
  let timer: NodeJS.Timeout | undefined;

  const stop = simulator.on((event) => {
    if (event.type !== 'message') return;
    const index = numberIn(event.message.content, PREFIX.call);
    if (index !== undefined) effects[index] = (effects[index] ?? 0) + 1;
  });

  function write(): void {
    const content = PREFIX.event + eventsAtMs.length;
    eventsAtMs.push(Date.now());
    simulator.sendMessage({ content });
  }

  function run(): void {
    const rawInput = PREFIX.command + commandsAtMs.length;
    commandsAtMs.push(Date.now());
    simulator.run({ rawInput });
  }

  return {
    port: simulator.port,
    token: simulator.token,
    channelId: channel.id,
    begin() {
      const beganAtMs = performance.now();
      timer = setInterval(() => {
        const seconds = (performance.now() - beganAtMs) / 1_000;
        while (eventsAtMs.length < seconds * EVENTS_PER_SECOND) write();
        while (commandsAtMs.length < seconds * COMMANDS_PER_SECOND) run();
      }, 1_000 / EVENTS_PER_SECOND);
    },
    end: () => clearInterval(timer),
    eventsAtMs,
    commandsAtMs,
    effects,
    async close() {
      clearInterval(timer);
      stop();
      await simulator.close();
    },
  };
}
