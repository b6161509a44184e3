import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../repository.mjs';

const packages = join(root, 'packages');

/** The entries that are used alone: their users cannot name what another package exports. */
const ENTRIES = ['client/src/rest.ts', 'client/src/gateway.ts'];

/** Returns the file of an import, or nothing for another project. */
function fileOf(specifier, from) {
  if (specifier.startsWith('.')) return resolve(dirname(from), specifier.replace(/\.js$/, '.ts'));
  const [scope, name, entry] = specifier.split('/');
  return scope === '@virgule' ? join(packages, name, 'src', `${entry}.ts`) : undefined;
}

/** Returns what a file imports or re-exports, the files it passes on, and the types and values it declares with their code. */
function read(file) {
  const code = readFileSync(file, 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
  const imported = new Map();
  for (const [, list, from] of code.matchAll(
    /^(?:im|ex)port (?:type )?\{([^}]*)\} from '(.*)'/gm,
  )) {
    for (const name of list.match(/[\w$]+(?=\s*(?:,|$))/g) ?? [])
      imported.set(name, fileOf(from, file));
  }
  const declared = new Map();
  for (const part of code.split(/^(?=\w)/m)) {
    const [, kind, name] =
      /^(?:export )?(?:async )?(interface|type|const|function|class) ([\w$]+)/.exec(part) ?? [];
    // The types of a function are those of its head.
    if (name) declared.set(name, kind === 'function' ? part.split(/\{\n/)[0] : part);
  }
  const passedOn = Array.from(code.matchAll(/^export (?:type )?\* from '(.*)'/gm), ([, from]) =>
    fileOf(from, file),
  );
  return { imported, declared, passedOn };
}

/** Returns where a name is declared, following the entries that export it. */
function find(file, name) {
  const { imported, declared, passedOn } = read(file);
  if (declared.has(name)) return { file, name, code: declared.get(name) };
  const from = imported.get(name);
  if (from) return find(from, name);
  for (const each of passedOn) {
    const found = find(each, name);
    if (found) return found;
  }
  return undefined;
}

const isType = ({ code }) => /^export (interface|type|class)/.test(code);

it.each(ENTRIES)('%s exports every type that its types and functions name', (entry) => {
  const path = join(packages, entry);
  const names = [...read(path).imported.keys()];
  const missing = names.flatMap((exported) => {
    const { file, code } = find(path, exported);
    const used = new Set(code.match(/(?<![.\w$'"])[A-Z][\w$]*/g));
    return [...used]
      .map((name) => find(file, name))
      .filter((type) => type && isType(type) && !names.includes(type.name))
      .map((type) => `${type.name}, named by ${exported}`);
  });
  expect(missing).toEqual([]);
});
