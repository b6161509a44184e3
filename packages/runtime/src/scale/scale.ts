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
 * What a process of a bot does: `gateway` holds the connection to the platform, `worker` runs commands and events, `all`
 * does both.
 */
const ROLES = ['all', 'gateway', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Returns the role of a process.
 *
 * @throws VirguleError `E_ROLE` for an unknown one, and for one that only a scaled bot has.
 */
export function readRole(saw: string | undefined, scale: Scale | undefined): Role {
  if (saw === undefined) return 'all';
  const role = ROLES.find((name) => name === saw);
  if (role && (scale || role === 'all')) return role;
  throw runtimeErrors.E_ROLE({ saw, known: ROLES, isScaled: scale !== undefined || !role });
}

/** What the processes of one bot need to find each other. */
export interface ScaleContext {
  /** Environment variables, with those of the `.env` files. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Id of the application: several bots may share a server. */
  readonly applicationId: string;
  /** Age after which a command can no longer be answered, in milliseconds. */
  readonly maxAgeMs: number;
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
  /** Returns whether an error of `open` needs a change of the configuration, so that another start does not help. */
  isUnusable?(error: unknown): boolean;
}

/** What the gateway of a bot needs. */
export interface ScaledGatewayOptions {
  readonly rest: Rest;
  /** Opens the connection to the platform. `identifies` remembers when the bot identified, for all its gateways. */
  readonly open: (identifies: IdentifyTimes) => GatewayPort;
  /** Returns when a command is deferred, in milliseconds after its receipt; `null`: never. Silent ones are acknowledged. */
  readonly defers: (name: string) => {
    readonly afterMs: number | null;
    readonly isSilent: boolean;
  };
  /** Returns the trace of an event, which its worker gets as `queued.trace`. */
  readonly trace?: ((event: GatewayEvent) => Trace | undefined) | undefined;
  /** Called when an error ended the connection permanently. */
  readonly onClosed: (error: VirguleError) => void;
  readonly onStatus: (status: GatewayStatus) => void;
}

/** The part of a process that holds the connection to the platform, or is ready to take over. */
export interface ScaledGateway {
  /** Resolves when it is connected, or another process is. Rejects with the error that ended the connection. */
  readonly ready: Promise<void>;
  /** Returns figures by their names. */
  metrics(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

/** An event that was delivered too often, and set aside. */
export interface DeadEvent {
  readonly id: string;
  /** When it was set aside: ISO 8601. */
  readonly at: string;
  /** The name of the event, such as `APPLICATION_COMMAND`, and its payload; `undefined` if it cannot be read. */
  readonly event: { readonly t: string; readonly d: unknown } | undefined;
  readonly deliveries: number;
}

/** The events that were set aside. */
export interface DeadEvents {
  /** Returns the oldest ones, up to `limit`. */
  list(limit: number): Promise<readonly DeadEvent[]>;
  get(id: string): Promise<DeadEvent | undefined>;
  /** Delivers one again. Resolves to whether there is one. A command that can no longer be answered stays. */
  replay(id: string): Promise<boolean | 'too-old'>;
  /** Deletes one. Resolves to whether there was one. */
  drop(id: string): Promise<boolean>;
}

/** The connection of one process to the others. */
export interface ScaledProcess {
  /** What all workers share. Their cooldowns are in the storage. */
  readonly stores: {
    readonly concurrency: ConcurrencyStore;
    readonly storage: StorageSetting;
  };
  readonly dead: DeadEvents;
  /** Runs a task when no other process runs one, such as the registration of commands. */
  alone<T>(task: () => Promise<T>): Promise<T>;
  /** Starts to pass events on to workers. */
  startGateway(options: ScaledGatewayOptions): ScaledGateway;
  /** Returns the events for this process. Its client shares rate limits with those of the other workers. */
  worker(options: { readonly rest: Pick<Rest, 'exchangePauses'> }): GatewayPort;
  /** Disconnects. The gateway and the worker are closed before. */
  close(): Promise<void>;
}
