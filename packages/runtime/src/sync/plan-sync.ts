import { createHash } from 'node:crypto';
import {
  type Command,
  type CommandOption,
  readCommandSchema,
  type SyncCommandItem,
  syncItemOf,
} from '@virgule/core/protocol';
import { runtimeErrors } from '../errors/runtime-errors.js';

export interface FieldChange {
  /** Name of the changed part: `description`, `option url`, `option url description` … */
  readonly what: string;
  /** Value before the change; `undefined` for a new part. */
  readonly before?: string | undefined;
  /** Value after the change; `undefined` for a removed part. */
  readonly after?: string | undefined;
  /** `true` if a line that users type today would be refused or read differently. */
  readonly breaking: boolean;
  /** Effect of a breaking change on such a line. */
  readonly why?: string | undefined;
}

export interface CommandChange {
  readonly name: string;
  readonly fields: readonly FieldChange[];
}

export interface SyncPlan {
  readonly add: readonly SyncCommandItem[];
  readonly change: readonly CommandChange[];
  /** Commands that are registered and not in the local set: PUT /commands deletes them. */
  readonly remove: readonly SyncCommandItem[];
  /** Commands that are registered and not in the local set, and stay: they are sent with the others. */
  readonly kept: readonly SyncCommandItem[];
  readonly same: readonly string[];
  readonly empty: boolean;
  /** Fingerprint of the registered set that this plan was made from, to detect later changes. */
  readonly remoteHash: string;
}

/**
 * Compares the local commands with the registered ones. Ids, dates and unknown fields do not count.
 *
 * @param keep - returns whether a registered command stays although it is not in the local set.
 * @throws VirguleError `E_COMMANDS_UNREADABLE` when a registered command has no name, or an option no name or type.
 */
export function planSync(
  local: readonly SyncCommandItem[],
  remote: readonly (Command | SyncCommandItem)[],
  keep: (name: string) => boolean = () => false,
): SyncPlan {
  const found = remote.map(normalize);
  const registered = byName(found);
  const wanted = byName(local.map(syncItemOf));

  const add: SyncCommandItem[] = [];
  const change: CommandChange[] = [];
  const same: string[] = [];
  for (const [name, after] of wanted) {
    const before = registered.get(name);
    const fields = before ? compareCommand(before, after) : [];
    if (!before) add.push(after);
    else if (fields.length > 0) change.push({ name, fields });
    else same.push(name);
  }
  const absent = [...registered.values()].filter((command) => !wanted.has(command.name));
  const remove = absent.filter(({ name }) => !keep(name));
  return {
    add,
    change,
    remove,
    kept: absent.filter(({ name }) => keep(name)),
    same,
    empty: add.length + change.length + remove.length === 0,
    remoteHash: hashOf(found),
  };
}

/** Returns a fingerprint of a set of commands. It depends on the order of options, but not on the order of commands. */
export const hashCommands = (commands: readonly (Command | SyncCommandItem)[]): string =>
  hashOf(commands.map(normalize));

function hashOf(commands: readonly SyncCommandItem[]): string {
  const sorted = commands.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 12);
}

const byName = (commands: readonly SyncCommandItem[]): Map<string, SyncCommandItem> =>
  new Map(commands.map((command) => [command.name, command]));

/** Returns the fields of a registered command that a sync sends, in a fixed order of keys. */
function normalize(command: Command | SyncCommandItem): SyncCommandItem {
  // Commands from the platform may have another form than their type promises.
  const { data, error } = readCommandSchema.safeParse(command);
  if (!data) {
    const { path = [], message: reason = 'an unexpected form' } = error.issues[0] ?? {};
    const { name: given }: { readonly name?: unknown } = Object(command);
    const name = typeof given === 'string' ? given : undefined;
    throw runtimeErrors.E_COMMANDS_UNREADABLE({ name, field: path.join('.'), reason });
  }
  return syncItemOf(data);
}

const HARMLESS = { breaking: false } as const;
const OMITTED = 'callers omitting it will fail';
const breaks = (why: string) => ({ breaking: true, why }) as const;

function compareCommand(before: SyncCommandItem, after: SyncCommandItem): FieldChange[] {
  const fields = changed('description', before.description, after.description, HARMLESS);
  const removed = breaks('the value that callers type for it is no longer accepted');
  for (const option of before.options)
    if (!find(after, option.name))
      fields.push({ what: `option ${option.name}`, before: summary(option), ...removed });
  const inserted = breaks('it takes the value that callers type for the next option');
  const lastKept = after.options.findLastIndex(({ name }) => find(before, name));
  for (const [index, option] of after.options.entries()) {
    const old = find(before, option.name);
    const optional = index < lastKept ? inserted : HARMLESS;
    const added = option.required ? breaks(OMITTED) : optional;
    if (old) fields.push(...compareOption(old, option));
    else fields.push({ what: `option ${option.name}`, after: summary(option), ...added });
  }
  const kept = (command: SyncCommandItem, other: SyncCommandItem): string =>
    command.options.flatMap(({ name }) => (find(other, name) ? [name] : [])).join(', ');
  const effect = breaks('positional arguments will be read differently');
  fields.push(...changed('option order', kept(before, after), kept(after, before), effect));
  return fields;
}

function compareOption(before: CommandOption, after: CommandOption): FieldChange[] {
  const what = `option ${after.name}`;
  const rejected = breaks('values that callers type today may be rejected');
  const required = after.required ? breaks(OMITTED) : HARMLESS;
  return [
    ...changed(`${what} type`, before.type, after.type, rejected),
    ...changed(`${what} required`, String(before.required), String(after.required), required),
    ...changed(`${what} description`, before.description, after.description, HARMLESS),
  ];
}

/** Returns the change of a field; an empty array if the value is equal. */
const changed = (
  what: string,
  before: string,
  after: string,
  effect: Pick<FieldChange, 'breaking' | 'why'>,
): FieldChange[] => (before === after ? [] : [{ what, before, after, ...effect }]);

const find = (command: SyncCommandItem, name: string): CommandOption | undefined =>
  command.options.find((option) => option.name === name);

const summary = (option: CommandOption): string =>
  `${option.type}, ${option.required ? 'required' : 'optional'}`;
