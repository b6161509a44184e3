import type { Intent, SyncCommandItem } from '@virgule/core/protocol';
import type { CommandContext } from '../command/context/command-context.js';
import type { EventContext } from '../events/event-context.js';
import type { HandlerResult } from '../command/define/define-command.js';
import type { EventErrorHandler } from '../events/define-event-middleware.js';
import type { EventOrder } from '../events/define-event.js';
import type { Meta } from '../command/register.js';
import type { ErrorHandler, Middleware } from '../command/define/define-middleware.js';
import type { Throttle } from '../command/throttle/throttle-settings.js';
import type { OptionsSpec } from '../options/option-spec.js';
import type { Task } from '../tasks/task.js';

/** A command, ready to run. */
export interface Command {
  readonly name: string;
  /** Other names that run it. */
  readonly aliases: readonly string[];
  /** Path of its file from the project's root. */
  readonly file: string;
  readonly spec: OptionsSpec;
  /** As it is sent to the platform. */
  readonly wire: SyncCommandItem;
  /** When to defer, in milliseconds from receipt; `null` for never. */
  readonly deferAfterMs: number | null;
  readonly timeoutMs: number;
  readonly silent: boolean;
  /** The intents that it declares and those of the configuration. */
  readonly intents: readonly Intent[];
  /** Plain data of its author. */
  readonly meta: Meta;
  /** The settings as its author wrote them, without those that were omitted. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Those of its folders, outermost first, and its own. */
  readonly throttles: readonly Throttle[];
  /** Outermost first. */
  readonly middleware: readonly Middleware[];
  /** Innermost first. */
  readonly errorHandlers: readonly ErrorHandler[];
  readonly run: (context: CommandContext) => HandlerResult;
}

/** One handler of one event. */
export interface EventListener {
  readonly event: string;
  readonly file: string;
  readonly own: boolean;
  readonly once: boolean;
  readonly order: EventOrder;
  readonly timeoutMs: number;
  /** Whether its author set the timeout. */
  readonly hasTimeout: boolean;
  /** The intents that it declares, those of the configuration, and that of its event. */
  readonly intents: readonly Intent[];
  /** Innermost first. */
  readonly errorHandlers: readonly EventErrorHandler[];
  /** With the middleware of its folders. */
  readonly run: (context: EventContext<unknown>) => unknown;
}

/** Everything a bot answers to, as one value that can be replaced. */
export interface Project {
  readonly commands: ReadonlyMap<string, Command>;
  readonly events: ReadonlyMap<string, readonly EventListener[]>;
  readonly tasks: ReadonlyMap<string, Task>;
  /** The intents its commands and events need. */
  readonly intents: readonly Intent[];
}
