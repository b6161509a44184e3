import { runtimeErrors } from '@virgule/runtime/project';
import { didYouMean } from '@virgule/core/text';
import parse from 'yargs-parser';

/** A flag of a command: its name without dashes, what it takes, and one line about it. */
interface Flag {
  /** `names` takes none, or a list after `=`: `--allow-delete` and `--allow-delete=old,older`. */
  readonly type: 'boolean' | 'string' | 'port' | 'names';
  /** The value of a flag that is given without one. Without `bare`, a value is required. */
  readonly bare?: string;
  readonly about: string;
  /** The placeholder of the value in the help, such as `N`. */
  readonly value?: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** The values of the flags that were given. */
export type FlagValues<F extends Flags> = {
  readonly [Name in keyof F]?: F[Name]['type'] extends 'boolean'
    ? boolean
    : F[Name]['type'] extends 'port'
      ? number
      : F[Name]['type'] extends 'names'
        ? true | readonly string[]
        : string;
};

export interface Arguments<F extends Flags> {
  readonly flags: FlagValues<F>;
  /** The words that are not flags, in order. */
  readonly words: readonly string[];
}

/**
 * Reads the arguments of one command.
 *
 * @throws VirguleError `E_ARGUMENTS`.
 */
export function readArguments<F extends Flags>(
  command: string,
  argv: readonly string[],
  flags: F,
): Arguments<F> {
  const names = Object.keys(flags);
  const ofType = (...types: Flag['type'][]): string[] =>
    names.filter((name) => types.some((type) => flags[name]?.type === type));
  const optional = new Set(ofType('names').map((name) => `--${name}`));
  const booleans = ofType('boolean');
  const negated = new Map(booleans.map((name) => [`--no-${name}`, `--${name}=false`]));
  // Without `=` the word behind an optional value is not that value.
  const separated = argv.map(
    (word) => negated.get(word) ?? (optional.has(word) ? `${word}=` : word),
  );
  const parsed = parse(separated, {
    boolean: booleans,
    alias: names.includes('port') ? { port: 'p' } : {},
    // Read as text: a number would lose what was typed, which the error has to show.
    string: [...ofType('string', 'port', 'names'), '_'],
    configuration: {
      'camel-case-expansion': false,
      'strip-aliased': true,
      'boolean-negation': false,
      'dot-notation': false,
    },
  });

  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parsed)) {
    if (name === '_') continue;
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (!flag) {
      const meant = didYouMean(name, names);
      const typed = name.length === 1 ? `-${name}` : `--${name}`;
      const details = { flag: typed, command, meant: meant && `--${meant}` };
      throw runtimeErrors.E_ARGUMENTS({ kind: 'flag', ...details });
    }
    values[name] = readValue(name, flag, Array.isArray(value) ? value.at(-1) : value);
  }
  // Each value was read by the type of its own flag.
  return { flags: values as FlagValues<F>, words: parsed._.map(String) };
}

function readValue(name: string, flag: Flag, value: unknown): unknown {
  if (flag.type === 'boolean') return value === true;
  const given = typeof value === 'string' ? value : '';
  if (flag.type === 'names') return given === '' ? true : readNames(given);
  const text = given === '' ? (flag.bare ?? '') : given;
  const isPort = flag.type === 'port';
  if (isPort ? /^\d+$/.test(text) && Number(text) <= 65_535 : text !== '')
    return isPort ? Number(text) : text;
  const want = isPort ? 'a port from 0 to 65535' : (flag.value ?? 'a value');
  throw invalidFlag(name, want, text);
}

/** Creates the error of the words of a command that it does not take. */
export const invalidWords = (command: string, want: string, saw: readonly string[]) =>
  runtimeErrors.E_ARGUMENTS({ kind: 'words', command, want, saw });

/** Creates the error of a value that a flag does not take. */
export const invalidFlag = (name: string, want: string, saw: string) =>
  runtimeErrors.E_ARGUMENTS({ kind: 'value', flag: `--${name}`, want, saw });

/** Reads `old, /older` as `old` and `older`. */
function readNames(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim().replace(/^\//, ''))
    .filter((name) => name !== '');
}
