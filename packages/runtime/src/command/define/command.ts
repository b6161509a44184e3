import type { Intent, SyncCommandItem } from '@virgule/core/protocol';
import type { OptionsSpec } from '../../options/option-spec.js';
import type { CommandContext } from '../context/command-context.js';
import type { Meta } from '../register.js';
import type { Throttle } from '../throttle/throttle-settings.js';
import type { HandlerResult } from './define-command.js';
import type { ErrorHandler, Middleware } from './define-middleware.js';

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
