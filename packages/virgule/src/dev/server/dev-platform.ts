import type { TokenState } from '@virgule/client/gateway';
import type { SimClockState, SimProblem } from '@virgule/core/simulator-api';
import type { ConnectionSettings } from '@virgule/runtime/process';
import type { Simulator } from '@virgule/simulator';
import type { Progress } from './pending-events.js';

/** What a dev server runs a bot on: a simulator of its own, or the real platform. */
export interface DevPlatform extends ConnectionSettings {
  /** The chat page; only a simulator has one. */
  readonly page?: string | undefined;
  /** How many messages of an earlier run are in its chat; absent if the chat is new. */
  readonly restored?: number | undefined;
  /** Token to act as a user. Only a simulator has one. */
  readonly userToken?: string | undefined;
  /** Whether nothing may be registered automatically. */
  readonly live: boolean;
  /** Shows problems where people look. */
  report(problems: readonly SimProblem[]): void;
  /** How far an interaction has come, where that can be seen. */
  readonly progressOf?: ((interactionId: string) => Progress) | undefined;
  /** Shows the thinking state of an interaction, for a bot that is not there yet. */
  defer(interactionId: string): Promise<void>;
  /** Answers a command whose process could not. */
  respond(interactionId: string, content: string): Promise<unknown>;
  /** Sets what answers the questions of a chat page. */
  readonly answerWith?: Simulator['answerWith'] | undefined;
  /** Shows that changed code answers from now on. Only a simulator does. */
  readonly reloaded?: Simulator['reloaded'] | undefined;
  /** Reports each change of the clock of the world. Only a simulator has one. */
  readonly onClock?: ((listener: (clock: SimClockState) => void) => void) | undefined;
  /** Receives each entry of the bot's log, as a line of JSON. Only a simulator shows them. */
  readonly logged?: ((line: string) => void) | undefined;
  /** Settles what a close code leaves in doubt. @defaultValue the codes decide */
  readonly checkToken?: (() => Promise<TokenState>) | undefined;
  close(): Promise<void>;
}

const PROGRESS = {
  waiting: 'untouched',
  deferred: 'open',
  acknowledged: 'done',
  answered: 'done',
  expired: 'expired',
} as const;

export function simulatorPlatform(simulator: Simulator): DevPlatform {
  const { page, baseUrl, gatewayUrl, token, userToken } = simulator;
  return {
    page,
    baseUrl,
    gatewayUrl,
    token,
    userToken,
    restored: simulator.restored ? simulator.messageCount : undefined,
    live: false,
    report: (problems) => simulator.report(problems),
    progressOf: (id) => PROGRESS[simulator.interaction(id)?.state ?? 'expired'],
    // Without requests: on a busy machine, the first one takes longer than the window of an interaction.
    defer: async (id) => simulator.defer(id),
    respond: async (id, content) => simulator.respond(id, content),
    answerWith: (answer) => simulator.answerWith(answer),
    reloaded: (files) => simulator.reloaded(files),
    onClock: (listener) =>
      void simulator.on((event) => event.type === 'clock' && listener(event.clock)),
    logged: (line) => simulator.logged(line),
    close: () => simulator.close(),
  };
}
