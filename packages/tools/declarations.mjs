import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root } from './repository.mjs';

/**
 * Returns the source file of an entry of a package, such as `virgule/testing`.
 *
 * @param {string} specifier
 */
export function sourceOf(specifier) {
  const [, folder = '', entry = 'index'] =
    /^(?:@virgule\/)?(\w+)(?:\/([\w-]+))?$/.exec(specifier) ?? [];
  const source = join(root, 'packages', folder, 'src');
  const file = join(source, `${entry}.ts`);
  // Some entries are in a separate folder.
  return existsSync(file) ? file : join(source, entry, 'index.ts');
}

/** Returns the file of an import, or `undefined` for another project. */
function fileOf(specifier, from) {
  if (specifier.startsWith('.')) return resolve(dirname(from), specifier.replace(/\.js$/, '.ts'));
  return /^(@virgule|virgule)\b/.test(specifier) ? sourceOf(specifier) : undefined;
}

/** Returns a function without its body: the lines up to the first brace outside parentheses. */
function headOf(code) {
  const lines = code.split('\n');
  let depth = 0;
  const end = lines.findIndex((line) => {
    depth += line.split('(').length - line.split(')').length;
    return depth === 0 && line.endsWith('{');
  });
  return lines.slice(0, end + 1).join('\n') || code;
}

const files = new Map();

/** Returns the imports of a file, the files it passes on, its declarations with their code, and its augmentations. */
function read(file) {
  const known = files.get(file);
  if (known) return known;
  const code = readFileSync(file, 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
  const imported = new Map();
  for (const [, list, from] of code.matchAll(/^(?:im|ex)port (?:type )?\{([^}]*)\} from '(.*)'/gm))
    for (const [, original, name = original] of list.matchAll(
      /(?:type )?([\w$]+)(?: as ([\w$]+))?\s*(?:,|$)/g,
    ))
      imported.set(name, { from: fileOf(from, file), name: original });
  const declared = new Map();
  const parts = code.split(/^(?=\w)/m);
  for (const part of parts) {
    const [, kind, name] =
      /^(?:export )?(?:async )?(interface|type|const|function|class)\*? ([\w$]+)/.exec(part) ?? [];
    if (!name) continue;
    // Functions may be overloaded.
    const { code: before = '', head = '' } = declared.get(name) ?? {};
    const ownHead = kind === 'function' ? headOf(part) : part;
    declared.set(name, { code: before + part, head: head + ownHead });
  }
  const augmented = parts.filter((part) => part.startsWith('declare ')).join('\n');
  const passedOn = Array.from(code.matchAll(/^export (?:type )?\* from '(.*)'/gm), ([, from]) =>
    fileOf(from, file),
  );
  const found = { imported, declared, passedOn, augmented };
  files.set(file, found);
  return found;
}

/** Returns the names that a file imports or exports again, also with `export *`. */
export function importedBy(file) {
  const { imported, passedOn } = read(file);
  return [...imported.keys(), ...passedOn.flatMap((each) => (each ? importedBy(each) : []))];
}

/**
 * Returns where a name is declared, following the files that export it, with its code. `head` is the code without the
 * bodies of functions; `augmented` has the augmentations in the same file.
 *
 * @param {string | undefined} file
 * @param {string} name
 */
export function find(file, name) {
  if (file === undefined || !existsSync(file)) return undefined;
  const { imported, declared, passedOn, augmented } = read(file);
  const own = declared.get(name);
  if (own) return { file, name, ...own, augmented };
  const origin = imported.get(name);
  if (origin) return find(origin.from, origin.name);
  for (const each of passedOn) {
    const found = find(each, name);
    if (found) return found;
  }
  return undefined;
}
