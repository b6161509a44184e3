import type { GatewayPort, GatewayStatus } from '@virgule/client/gateway';
import type { Rest } from '@virgule/client/rest';
import type { VirguleError } from '@virgule/core/errors';
import type { Clock } from '@virgule/core/clock';
import type { StateFile } from '@virgule/core/fs';
import type { Log } from '@virgule/core/log';
import type { ConcurrencyStore } from '../command/throttle/concurrency-store.js';
import type { CooldownStore } from '../command/throttle/cooldown-store.js';

/**
 * What a process of a bot does: `gateway` holds the connection to the platform, `worker` runs commands and events, `all`
 * does both.
 */
export const ROLES = ['all', 'gateway', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/** What the processes of one bot need to find each other. */
export interface ScaleContext {
  /** Environment variables, with those of the `.env` files. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Id of the application: several bots may share a server. */
  readonly applicationId: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether to wait for a server that cannot be reached, instead of failing. */
  readonly wait: boolean;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Keeps strings, such as a password, out of the log. */
  readonly hide: (texts: readonly string[]) => void;
}

/** The setting `scale`: runs a bot as several processes. */
export interface Scale {
  open(context: ScaleContext): Promise<ScaledProcess>;
}

/** What the gateway of a bot needs. */
export interface ScaledGatewayOptions {
  readonly rest: Rest;
  /** Opens the connection to the platform. `identifies` stores when the bot identified, for all its gateways. */
  readonly open: (identifies: StateFile) => GatewayPort;
  /** Returns when a command is deferred, in milliseconds after its receipt; `null`: never. Silent ones are acknowledged. */
  readonly defers: (name: string) => { readonly afterMs: number | null; readonly isSilent: boolean };
  /** Called when an error ended the connection permanently. */
  readonly onClosed: (error: VirguleError) => void;
  readonly onStatus: (status: GatewayStatus) => void;
}

/** The connection of one process to the others. */
export interface ScaledProcess {
  /** Shared by all workers. */
  readonly cooldowns: CooldownStore;
  /** Shared by all workers. */
  readonly concurrency: ConcurrencyStore;
  /** Starts to pass events on to workers. */
  startGateway(options: ScaledGatewayOptions): { close(): Promise<void> };
  /** Returns the events for this process. `maxAgeMs`: a command that is older can no longer be answered. */
  worker(options: { readonly maxAgeMs: number }): GatewayPort;
  /** Disconnects. The gateway and the worker are closed before. */
  close(): Promise<void>;
}
