import type { TokenState } from '@virgule/client/gateway';
import type { SimInteractionState, SimProblem } from '@virgule/core/simulator-api';
import type { ConnectionSettings } from '@virgule/runtime/process';
import type { Simulator } from '@virgule/simulator';

/** What only a simulator has: a chat page and its user, who sees what the code of the bot does, and a clock of its own. */
type SimulatorParts = Pick<
  Simulator,
  'page' | 'userToken' | 'answerWith' | 'reloaded' | 'logged' | 'on'
>;

/** What a dev server runs a bot on: a simulator of its own, or the real platform. */
export interface DevPlatform extends ConnectionSettings, Partial<SimulatorParts> {
  /** How many messages of an earlier run are in its chat; absent if the chat is new. */
  readonly restored?: number | undefined;
  /** Whether nothing may be registered automatically. */
  readonly live: boolean;
  /** Shows problems where people look. */
  report(problems: readonly SimProblem[]): void;
  /** Returns the state of an interaction; `waiting` until the first call of the bot. @defaultValue it cannot be asked */
  readonly stateOf?: ((interactionId: string) => SimInteractionState) | undefined;
  /** Shows the thinking state of an interaction, for a bot that is not there yet. */
  defer(interactionId: string): Promise<void>;
  /** Answers a command whose process could not. */
  respond(interactionId: string, content: string): Promise<unknown>;
  /** Settles what a close code leaves in doubt. @defaultValue the codes decide */
  readonly checkToken?: (() => Promise<TokenState>) | undefined;
  close(): Promise<void>;
}

export function simulatorPlatform(simulator: Simulator): DevPlatform {
  return {
    ...simulator,
    restored: simulator.restored ? simulator.messageCount : undefined,
    live: false,
    stateOf(id) {
      const state = simulator.interaction(id)?.state ?? 'expired';
      return state === 'deferred' && !simulator.hasCall(id) ? 'waiting' : state;
    },
    // Without requests: on a busy machine, the first one takes longer than the window of an interaction.
    defer: async (id) => simulator.defer(id),
    respond: async (id, content) => simulator.respond(id, content),
  };
}
