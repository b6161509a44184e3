import type { VirguleError } from '@virgule/core/errors';
import type { CommandOption, Intent, SyncCommandItem } from '@virgule/core/protocol';
import type { OptionsSpec, OptionSpec } from '../../options/option-spec.js';
import type { CommandContext } from '../context/command-context.js';
import type { Meta } from '../register.js';
import type { Throttle } from '../throttle/throttle-settings.js';
import type { HandlerResult, ToolApproval } from './define-command.js';
import type { ErrorHandler, Middleware } from './define-middleware.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import type { Duration } from '../../text/duration.js';
import { resolveMessageCommands, type MessageCommands } from '../message-commands.js';
import type { CommandInfo, OptionInfo } from '../command-info.js';
import { formatUsage } from '../raw-input/format-usage.js';

/** Time from the receipt of a command to its automatic defer, in milliseconds, unless its author sets another one. */
export const AUTO_DEFER_MS = 1_500;

export type Approval = ToolApproval & { readonly within: Duration };

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
  /** Effect of the command as a tool of a language model. @defaultValue no tool */
  readonly tool?: 'reads' | 'writes' | Approval | undefined;
  /** `true` if messages run the command too; `'only'` if nothing else does, and the platform does not list the command. */
  readonly messages: boolean | 'only';
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

/** Commands by their names. */
export type Commands = ReadonlyMap<string, Command>;

/** First command with each alias, by all commands of a project. */
const byAlias = new WeakMap<Commands, Map<string, Command>>();

/** Returns the command with a name, else the first command with this alias. */
export function commandNamed(commands: Commands, name: string): Command | undefined {
  const named = commands.get(name);
  if (named) return named;
  let aliased = byAlias.get(commands);
  if (!aliased) {
    byAlias.set(commands, (aliased = new Map()));
    for (const command of [...commands.values()].toReversed())
      for (const alias of command.aliases) aliased.set(alias, command);
  }
  return aliased.get(name);
}

/** Names of the commands that were read, by their default exports. */
const names = new WeakMap<object, string>();

/** Records the name of a command's default export, so that code can call the imported command. */
export function rememberName(definition: unknown, name: string): void {
  if (Object(definition) === definition) names.set(definition as object, name);
}

/** Returns the name of a command from its name or its default export. After a reload, an old export still has the name. */
export const nameOf = (command: unknown): string | undefined =>
  typeof command === 'string' ? command : names.get(Object(command) as object);

/** Returns the commands in the form sent to the platform. Each alias is a separate command there. */
export function wireCommands({ commands }: { readonly commands: Commands }): SyncCommandItem[] {
  const listed = [...commands.values()].filter(({ messages }) => messages !== 'only');
  const isFree = (name: string): boolean => (commands.get(name)?.messages ?? 'only') === 'only';
  const aliased = new Map<string, SyncCommandItem>();
  for (const { wire, aliases } of listed)
    for (const name of aliases)
      if (isFree(name) && !aliased.has(name)) aliased.set(name, { ...wire, name });
  return [...listed.map(({ wire }) => wire), ...aliased.values()];
}

/** Returns an `E_COMMAND_CONFLICT` for each alias that equals the name of a command, or an earlier alias of another command. */
export function aliasConflicts(commands: Commands): VirguleError[] {
  const named = [...commands.values()].filter(({ aliases }) => aliases.length > 0);
  return named.flatMap((command) =>
    command.aliases.flatMap((name) => {
      const other = commandNamed(commands, name);
      if (!other || (other === command && name !== command.name)) return [];
      const { file } = command;
      const details = { kind: 'alias', file, name, other: other.file } as const;
      return [runtimeErrors.E_COMMAND_CONFLICT(details, { location: { file } })];
    }),
  );
}

/** Returns descriptions of the commands for a help command, in alphabetical order. */
export function describeCommands(
  { commands }: { readonly commands: Commands },
  messages?: MessageCommands,
): readonly CommandInfo[] {
  return [...commands.values()]
    .map((command) => {
      const { name, aliases, spec, wire, meta } = command;
      const options = spec.options.map(infoOfOption);
      const usage = usageOf(command, messages);
      return { name, aliases, description: wire.description, ...usage, meta, options };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the usage of a command, and its usage as a message if messages run it. */
export function usageOf(command: Command, messages?: MessageCommands) {
  const { prefix } = resolveMessageCommands(messages);
  const typed = formatUsage(command, prefix);
  const usage = command.messages === 'only' ? typed : formatUsage(command);
  return { usage, messageUsage: command.messages ? typed : undefined };
}

/**
 * Returns the options to register. Options that take only a value after their name come last: the platform's client fills
 * values by position (assumed).
 */
export function toWireOptions({ options }: OptionsSpec): CommandOption[] {
  const inOrder = options.filter(({ named }) => !named);
  const byName = options.filter(({ named }) => named);
  return [...inOrder, ...byName].map(infoOfOption);
}

function infoOfOption({ name, description, type, required }: OptionSpec): OptionInfo {
  return { name, description, type, required };
}
