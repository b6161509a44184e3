import { runtimeErrors } from '@virgule/runtime/errors';
import { invalidFlag } from './invalid-arguments.js';
import { didYouMean, splitNames } from '@virgule/core/text';
import parse from 'yargs-parser';

/** Flag of a command: its name without dashes, its type, and one line of description. */
interface Flag {
  /** Type of the value. `names` is optional, or a list after `=`: `--allow-delete` and `--allow-delete=old,older`. */
  readonly type: 'boolean' | 'string' | 'port' | 'names';
  /** Default of a flag that is passed without a value. Without `bare`, a value is required. */
  readonly bare?: string;
  readonly about: string;
  /** Placeholder of the value in the help, such as `N`. */
  readonly value?: string;
}

export type Flags = Readonly<Record<string, Flag>>;

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
  /** Words that are not flags, in order. */
  readonly words: readonly string[];
}

/** Value of a list without `=`. No argument of a process contains this character. */
const ALL = '\0';

/** Reads the arguments of one command. @throws VirguleError `E_ARGUMENTS`. */
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
  // Without `=`, the word after an optional value is not its value.
  const separated = argv.map(
    (word) => negated.get(word) ?? (optional.has(word) ? `${word}=${ALL}` : word),
  );
  const parsed = parse(separated, {
    boolean: booleans,
    alias: names.includes('port') ? { port: 'p' } : {},
    // Parsed as a string: a number would lose the typed form, which the error shows.
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
      const meant = didYouMean(name, names) ?? names.find((each) => name.startsWith(`${each}-`));
      const typed = name.length === 1 ? `-${name}` : `--${name}`;
      const details = { program: `virgule ${command}`, meant: meant && `--${meant}` };
      throw runtimeErrors.E_ARGUMENTS({ kind: 'flag', flag: typed, ...details });
    }
    values[name] = readValue(name, flag, Array.isArray(value) ? value.at(-1) : value);
  }
  // Each value was parsed by the type of its flag.
  return { flags: values as FlagValues<F>, words: parsed._.map(String) };
}

function readValue(name: string, flag: Flag, value: unknown): unknown {
  if (flag.type === 'boolean') return value === true;
  const given = typeof value === 'string' ? value : '';
  if (flag.type === 'names') {
    if (given === ALL) return true;
    const names = splitNames(given);
    if (names.length > 0) return names;
    // In a script, the variable of the names may be unset.
    throw invalidFlag(name, `names, as in --${name}=old,older`, given);
  }
  const text = given === '' ? (flag.bare ?? '') : given;
  const isPort = flag.type === 'port';
  if (isPort ? /^\d+$/.test(text) && Number(text) <= 65_535 : text !== '')
    return isPort ? Number(text) : text;
  const want = isPort ? 'a port from 0 to 65535' : (flag.value ?? 'a value');
  throw invalidFlag(name, want, text);
}
