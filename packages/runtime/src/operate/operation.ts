import { errorText } from '@virgule/core/errors';
import { CENSOR } from '@virgule/core/log';
import { listOf, showOnOneLine } from '@virgule/core/text';
import type { ResolvedConfig } from '../config/read-config.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { Project } from '../load/project.js';
import type { ScaledProcess } from '../scale/scale.js';
import type { StorageConnection } from '../storage/storage-connection.js';

/** Context of the commands `storage`, `task` and `failed`: the bot, and the program that the commands belong to. */
export interface OperationContext {
  /** Program that users type before the name of the command. @defaultValue `virgule` */
  readonly program?: string | undefined;
  /** Sentence about other data that the user may mean, with a space before it. @defaultValue none */
  readonly elsewhere?: string | undefined;
  /** Writes the test of a record in JSON. Returns the exit code. @defaultValue the record is printed */
  readonly saveTest?: ((json: string) => number) | undefined;
  /** Returns the cells of a row of a list as lines that fit into a terminal, or as one line. */
  readonly layOutRow: (cells: readonly string[]) => string;
  /** Removes the secrets of the environment. */
  readonly redact: (text: string) => string;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Signal that ends the command between two entries. */
  readonly interrupt: AbortSignal;
  openStorage(): Promise<StorageConnection>;
  /** Reads the bot. @throws VirguleError if a file of a task has a problem. */
  readBot(): Promise<{ readonly project: Project; readonly config: ResolvedConfig }>;
  /** Connects to the other processes of the bot. Resolves to `undefined` without the setting `scale`. */
  openScale(): Promise<ScaledProcess | undefined>;
}

interface OperationFlags {
  readonly json?: boolean | undefined;
  /** Time until an entry that `storage set` writes expires. */
  readonly ttl?: string | undefined;
}

/** Runs a command with the words after its name. Resolves to the exit code. */
export type Operation = (
  words: readonly string[],
  flags: OperationFlags,
  context: OperationContext,
) => Promise<number>;

export interface ActionInput {
  /** Words after the name of the action. */
  readonly given: readonly string[];
  readonly flags: OperationFlags;
  readonly context: OperationContext;
}

/** An action of a command, such as `list`. Resolves to the exit code; `undefined` means 0. */
export type Action<Opened> = (opened: Opened, input: ActionInput) => Promise<number | void>;

/** Returns a command that opens something, runs an action on it, and closes it. */
export function defineOperation<Opened extends { close(): Promise<void> }>({
  command,
  actions,
  open,
}: {
  readonly command: string;
  /** Actions by their usage, such as `run NAME [JSON]`. A word in brackets may be omitted. */
  readonly actions: Readonly<Record<string, Action<Opened>>>;
  readonly open: (context: OperationContext) => Promise<Opened>;
}): Operation {
  return async (words, flags, context) => {
    const [name, ...given] = words;
    const found = Object.entries(actions).find(([form]) => {
      const [action, ...takes] = form.split(' ');
      const least = takes.filter((word) => !word.startsWith('[')).length;
      return action === name && given.length >= least && given.length <= takes.length;
    });
    if (!found) {
      const all = Object.keys(actions);
      const known = all.map((form) => form.replace(/ .*/, ''));
      const forms = name && known.includes(name) ? all.filter((_, at) => known[at] === name) : all;
      const quoted = forms.map((form) => `\`${form}\``);
      const want = listOf(quoted, 'or');
      const { program } = context;
      throw runtimeErrors.E_ARGUMENTS({ kind: 'words', command, program, want, saw: words, known });
    }
    const opened = await open(context);
    try {
      return (await found[1](opened, { given, flags, context })) ?? 0;
    } finally {
      await opened.close();
    }
  };
}

/** Prints an object as a line of JSON with the flag `--json`, else a text. */
export function print({ flags, context }: ActionInput, value: object, text: string): void {
  const line = flags.json ? showOnOneLine(JSON.stringify({ v: 1, ...value })) : text;
  context.stdout.write(`${line}\n`);
}

/** Returns a row of a list, without empty cells. */
export const rowText = (cells: readonly (string | undefined)[], context: OperationContext) =>
  context.layOutRow(cells.flatMap((cell) => (cell ? showOnOneLine(cell) : [])));

/** Parses typed JSON. `want` describes the expected JSON, with an example. */
export function readJson(
  text: string,
  command: string,
  want: string,
  { program }: OperationContext,
): NonNullable<unknown> | null {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const details = { command, program, want: `${want} (${errorText(cause)})`, saw: [text] };
    throw runtimeErrors.E_ARGUMENTS({ kind: 'words', ...details }, { cause });
  }
}

/** Returns the only text that a list shows as `given`, which may contain the mark of a secret; else `given`. */
export async function unredacted(
  given: string,
  all: AsyncIterable<string>,
  { redact }: Pick<OperationContext, 'redact'>,
): Promise<string> {
  if (!given.includes(CENSOR)) return given;
  const found: string[] = [];
  for await (const text of all) if (redact(text) === given) found.push(text);
  const [only = given, other] = found;
  return other === undefined ? only : given;
}
