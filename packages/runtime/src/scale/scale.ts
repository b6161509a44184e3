import type { GatewayEvent, GatewayStatus, IdentifyTimes } from '@virgule/client/gateway';
import type { GatewayPort } from '../command/gateway-port.js';
import type { Rest } from '@virgule/client/rest';
import type { VirguleError } from '@virgule/core/errors';
import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { Trace } from '../command/observer.js';
import type { ConcurrencyStore } from '../command/throttle/concurrency-store.js';
import type { StorageSetting } from '../storage/storage-driver.js';
import { runtimeErrors } from '../errors/runtime-errors.js';

/**
 * Roles of a process of a bot: `gateway` holds the connection to the platform, `worker` runs commands and events, `all`
 * does both.
 */
const ROLES = ['all', 'gateway', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Returns the role of a process.
 *
 * @throws VirguleError `E_ROLE` for an unknown role, and for a role other than `all` without the setting `scale`.
 */
export function readRole(saw: string | undefined, scale: Scale | undefined): Role {
  if (saw === undefined) return 'all';
  const role = ROLES.find((name) => name === saw);
  if (role && (scale || role === 'all')) return role;
  throw runtimeErrors.E_ROLE({ saw, known: ROLES, isScaled: scale !== undefined || !role });
}

/** Data that the processes of one bot need to find each other. */
export interface ScaleContext {
  /** Environment variables, including the variables of the `.env` files. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Id of the application, because several bots may share a server. */
  readonly applicationId: string;
  /** Age after which a command can no longer be answered, in milliseconds. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** `true` to wait for a server that cannot be reached, instead of failing. */
  readonly wait: boolean;
  /** Signal that ends the wait. */
  readonly signal: AbortSignal;
  /** Keeps strings, such as a password, out of the log. */
  readonly hide: (texts: readonly string[]) => void;
}

/** The setting `scale`: runs a bot as several processes. */
export interface Scale {
  open(context: ScaleContext): Promise<ScaledProcess>;
  /** Returns whether an error of `open` needs a change of the configuration, so that another start does not help. */
  isUnusable?(error: unknown): boolean;
}

/** Options of `startGateway`. */
export interface ScaledGatewayOptions {
  readonly rest: Rest;
  /** Opens the connection to the platform. `identifies` stores the times at which any gateway of the bot identified. */
  readonly open: (identifies: IdentifyTimes) => GatewayPort;
  /**
   * Returns the time from the receipt of a command to its automatic defer, in milliseconds; `null` for never. A silent command is
   * acknowledged instead.
   */
  readonly defers: (name: string) => {
    readonly afterMs: number | null;
    readonly isSilent: boolean;
  };
  /** Returns the trace of an event. The worker gets the trace as `queued.trace`. */
  readonly trace?: ((event: GatewayEvent) => Trace | undefined) | undefined;
  /** Called when an error ended the connection permanently. */
  readonly onClosed: (error: VirguleError) => void;
  readonly onStatus: (status: GatewayStatus) => void;
}

/** The gateway in a process: holds the connection to the platform, or is ready to take over. */
export interface ScaledGateway {
  /** Resolves when this or another process is connected. Rejects with the error that ended the connection. */
  readonly ready: Promise<void>;
  /** Returns figures by their names. */
  metrics(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

/** An event that was set aside because it was delivered too often. */
export interface DeadEvent {
  readonly id: string;
  /** Time at which the event was set aside, in ISO 8601. */
  readonly at: string;
  /** Name of the event, such as `APPLICATION_COMMAND`, and its payload; `undefined` if the event cannot be read. */
  readonly event: { readonly t: string; readonly d: unknown } | undefined;
  readonly deliveries: number;
  /**
   * Delivers the event again. Resolves to its id; `'too-old'` for a command that can no longer be answered, which stays; `undefined`
   * if the event is gone.
   */
  retry(): Promise<string | undefined>;
  /** Deletes the event. Resolves to whether the event still existed. */
  drop(): Promise<boolean>;
}

/** The connection of one process to the others. */
export interface ScaledProcess {
  /** Stores that all workers share. Cooldowns are in the storage. */
  readonly stores: {
    readonly concurrency: ConcurrencyStore;
    readonly storage: StorageSetting;
  };
  /** Returns the oldest events that were set aside, up to `limit`. */
  deadEvents(limit: number): Promise<readonly DeadEvent[]>;
  /** Runs a task, such as the registration of commands, while no other process runs one. */
  alone<T>(task: () => Promise<T>): Promise<T>;
  /** Starts to pass events on to workers. */
  startGateway(options: ScaledGatewayOptions): ScaledGateway;
  /** Returns the source of events for this process. Its REST client shares rate limits with the clients of the other workers. */
  worker(options: { readonly rest: Pick<Rest, 'exchangePauses'> }): GatewayPort;
  /** Disconnects. Close the gateway and the worker before. */
  close(): Promise<void>;
}
