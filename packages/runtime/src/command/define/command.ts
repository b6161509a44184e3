import type { Intent, SyncCommandItem } from '@virgule/core/protocol';
import type { OptionsSpec } from '../../options/option-spec.js';
import type { CommandContext } from '../context/command-context.js';
import type { Meta } from '../register.js';
import type { Throttle } from '../throttle/throttle-settings.js';
import type { HandlerResult } from './define-command.js';
import type { ErrorHandler, Middleware } from './define-middleware.js';

/** Time from the receipt of a command to its automatic defer, in milliseconds, unless its author sets another one. */
export const AUTO_DEFER_MS = 1_500;

/** A command, ready to run. */
export interface Command {
  readonly name: string;
  /** Other names that run the command. */
  readonly aliases: readonly string[];
  /** Path of the command's file, relative to the root of the project. */
  readonly file: string;
  readonly spec: OptionsSpec;
  /** Command in the form sent to the platform. */
  readonly wire: SyncCommandItem;
  /** Time from receipt to the automatic defer, in milliseconds; `null` for never. */
  readonly deferAfterMs: number | null;
  readonly timeoutMs: number;
  readonly silent: boolean;
  /** Intents of the command and of the configuration. */
  readonly intents: readonly Intent[];
  /** The `meta` of the command: plain data from its author. */
  readonly meta: Meta;
  /** Settings as the author wrote them, without omitted ones. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Throttles of the folders, outermost first, then the throttle of the command. */
  readonly throttles: readonly Throttle[];
  /** Middleware, outermost first. */
  readonly middleware: readonly Middleware[];
  /** Error handlers, innermost first. */
  readonly errorHandlers: readonly ErrorHandler[];
  readonly run: (context: CommandContext) => HandlerResult;
}
