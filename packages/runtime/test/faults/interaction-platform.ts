import type { Clock } from '@virgule/core/clock';
import { startSimulator } from '@virgule/simulator';
import { onTestFinished } from 'vitest';
import { openGate, type Act } from '../../../simulator/test/shared/gated-simulator.js';

/** An interaction on the platform. */
export interface PlatformInteraction {
  readonly id: string;
  /** State that users see. */
  readonly shown: 'nothing' | 'acknowledged' | 'thinking' | 'answer';
  readonly isExpired: boolean;
  /** Content of the answer. */
  readonly content: string | undefined;
  /** Number of created answers. Users see each of them. */
  readonly answers: number;
  readonly followUps: readonly string[];
  /** The calls for the interaction with their results, such as `defer 200`. */
  readonly calls: readonly string[];
  /** Age of the interaction at each call, in milliseconds. */
  readonly agesMs: readonly number[];
}

export type InteractionPlatform = Awaited<ReturnType<typeof startInteractionPlatform>>;

export interface InteractionPlatformOptions {
  readonly clock: Clock;
  /** Time that an interaction waits for its first answer. @defaultValue as assumed: 3,000 ms */
  readonly windowMs?: number | undefined;
  /** Returns the fault of a call such as `POST defer` for an interaction, or of `GET commands`. */
  readonly script?: ((call: string, id: string) => Act | undefined) | undefined;
}

const SHOWN = {
  waiting: 'nothing',
  acknowledged: 'acknowledged',
  deferred: 'thinking',
  answered: 'answer',
  expired: 'nothing',
} as const;

/** The path of a call for an interaction. */
const CALL = /^(\w+) \/interactions\/([^/]+)\/(.+)$/;

/** The simulator with the command `/x`, which fails where the script says so. */
export async function startInteractionPlatform(options: InteractionPlatformOptions) {
  const { clock, windowMs, script } = options;
  const simulator = await startSimulator({
    clock,
    pageDir: null,
    bots: [{ username: 'dice' }],
    // The time of a test passes fast, and heartbeats take time of this machine.
    profile: { answerWindowMs: windowMs, heartbeat: { intervalMs: 300_000 } },
  });
  onTestFinished(() => simulator.close());
  const dice = simulator.addBot({ username: 'dice' });
  await simulator.request({
    method: 'PUT',
    path: '/api/bot/v1/commands',
    headers: { authorization: `Bot ${dice.token}` },
    body: Buffer.from('{"commands":[{"name":"x","description":"x","options":[]}]}'),
  });
  const seen = new Map<string, { calls: string[]; agesMs: number[]; startMs: number }>();

  const gate = await openGate(
    simulator,
    (line) => {
      const [, verb, id = '', name] = CALL.exec(line) ?? [];
      const one = seen.get(id);
      one?.agesMs.push(clock.monotonic() - one.startMs);
      if (one !== undefined) return script?.(`${verb} ${name}`, id);
      return line === 'GET /commands' ? script?.('GET commands', id) : undefined;
    },
    (line, result) => {
      const [, verb, id = '', name] = CALL.exec(line) ?? [];
      seen.get(id)?.calls.push(`${verb === 'PATCH' ? 'edit ' : ''}${name} ${result}`);
      if (id !== '') platform.onCall();
    },
  );

  function observe(id: string): PlatformInteraction {
    const messages = () => simulator.messages().filter((each) => each.interactionId === id);
    const current = () => simulator.interaction(id);
    const { calls, agesMs } = seen.get(id) ?? { calls: [], agesMs: [] };
    return {
      id,
      calls,
      agesMs,
      get shown() {
        return SHOWN[current()?.state ?? 'waiting'];
      },
      get isExpired() {
        return current()?.state === 'expired';
      },
      get content() {
        return messages().find((each) => each.id === current()?.responseMessageId)?.content;
      },
      get answers() {
        return messages().length - this.followUps.length;
      },
      get followUps() {
        const answerId = current()?.responseMessageId;
        return messages().flatMap((each) => (each.id === answerId ? [] : [each.content]));
      },
    };
  }

  const platform = {
    simulator,
    baseUrl: gate.baseUrl,
    gatewayUrl: simulator.gatewayUrl,
    token: dice.token,
    goAway: () => gate.goAway(),
    /** Called after each call for an interaction, before it is answered. */
    onCall: (): void => {},
    /** Number of waiting requests that are never answered. */
    get stalled(): number {
      return gate.stalled;
    },
    /** Number of connected bots. */
    get bots(): number {
      return simulator.snapshot().bots.filter(({ connected }) => connected).length;
    },
    /** Runs `/x`. */
    run(): PlatformInteraction {
      const { id } = simulator.run({ rawInput: '/x' });
      seen.set(id, { calls: [], agesMs: [], startMs: clock.monotonic() });
      return observe(id);
    },
    /** Delivers a command again. */
    async repeat(interactionId: string): Promise<void> {
      const { serverId, channelId } = simulator.interaction(interactionId) ?? {};
      const payload = { interactionId, serverId, channelId, name: 'x', rawInput: '/x' };
      await simulator.act('event', { event: 'APPLICATION_COMMAND', payload });
    },
    /** Deletes the bot: its token is invalid from now on. */
    revokeToken: () => simulator.act('bot', { id: dice.botUserId, remove: true }),
    async close(): Promise<void> {
      gate.close();
      await simulator.close();
    },
  };
  return platform;
}
