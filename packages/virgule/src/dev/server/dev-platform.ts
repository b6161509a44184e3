import type { TokenState } from '@virgule/client/gateway';
import { createRest, isUnauthorized } from '@virgule/client/rest';
import type { Log } from '@virgule/core/log';
import type { SimInteractionState, SimProblem } from '@virgule/core/simulator-api';
import type { ConnectionSettings } from '@virgule/runtime/project';
import type { Simulator } from '@virgule/simulator';

/** Parts that only a simulator has: a chat page, its user, a trace of the bot, and a simulated clock. */
type SimulatorParts = Pick<
  Simulator,
  'page' | 'userToken' | 'answerWith' | 'reloaded' | 'logged' | 'on'
>;

/** Platform of a dev server: its own simulator, or the real platform. */
export interface DevPlatform extends ConnectionSettings, Partial<SimulatorParts> {
  /** Number of messages in the chat from an earlier run; absent if the chat is new. */
  readonly restored?: number | undefined;
  /** True if commands must not be registered automatically. */
  readonly live: boolean;
  /** Shows problems on the chat page. */
  report(problems: readonly SimProblem[]): void;
  /** Returns the state of an interaction; `waiting` until the first call of the bot. @defaultValue unknown */
  readonly stateOf?: ((interactionId: string) => SimInteractionState) | undefined;
  /** Shows the thinking state of an interaction, for a bot that is not available yet. */
  defer(interactionId: string): Promise<void>;
  /** Answers a command in place of its process. */
  respond(interactionId: string, content: string): Promise<unknown>;
  /** Checks a token when a close code leaves its validity open. @defaultValue the codes decide */
  readonly checkToken?: (() => Promise<TokenState>) | undefined;
  close(): Promise<void>;
}

export function simulatorPlatform(simulator: Simulator): DevPlatform {
  return {
    ...simulator,
    restored: simulator.restored ? simulator.messageCount : undefined,
    live: false,
    // A refusal is an injected fault.
    checkToken: async () => 'valid',
    stateOf(id) {
      const state = simulator.interaction(id)?.state ?? 'expired';
      return state === 'deferred' && !simulator.hasCall(id) ? 'waiting' : state;
    },
    // Bypasses HTTP: on a busy machine, a first request can take longer than the window of an interaction.
    defer: async (id) => simulator.defer(id),
    respond: async (id, content) => simulator.respond(id, content),
  };
}

/** Low limit of attempts, so that the user learns soon that the platform is unreachable. */
const MAX_TRIES = 3;

/** Opens the real platform, and registers no commands. @throws VirguleError `E_UNAUTHORIZED`, `E_UNREACHABLE`. */
export async function openLivePlatform(
  connection: ConnectionSettings,
  log: Log,
  signal: AbortSignal,
): Promise<DevPlatform> {
  const { token, baseUrl } = connection;
  const rest = createRest({ token, baseUrl, log, maxTries: MAX_TRIES });
  try {
    await rest.users.me({ signal });
  } catch (error) {
    await rest.close();
    throw error;
  }

  return {
    ...connection,
    live: true,
    report: () => {},
    defer: (id) => rest.interactions.defer(id),
    respond: (id, content) => rest.interactions.respond(id, { content }),
    checkToken: () =>
      rest.users.me().then(
        () => 'valid',
        (error: unknown) => (isUnauthorized(error) ? 'refused' : 'unknown'),
      ),
    close: () => rest.close(),
  };
}
