import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../../packages', import.meta.url));

/** The entries that people import, each with its purpose. */
const ENTRIES = {
  virgule: 'The files of a bot, and functions that run it from your own code.',
  'virgule/testing': 'Tests of a bot.',
  'virgule/vitest': 'The plugin of vitest.',
  '@virgule/voice': 'Audio in voice channels.',
  '@virgule/voice/receiver': 'Receives audio, for tests.',
  '@virgule/redis': 'Several processes for one bot.',
  '@virgule/simulator': 'The simulator, for bots of any kind.',
  '@virgule/client/rest': 'The REST interface, without the framework.',
  '@virgule/client/gateway': 'The gateway, without the framework.',
};

/** An exported name. */
interface ApiItem {
  readonly name: string;
  readonly kind: string;
  /** The first paragraph of its TSDoc; empty without one. */
  readonly summary: string;
}

/** Returns the source file of a package's entry. */
function sourceOf(specifier: string): string {
  const [, folder = '', path = 'index'] =
    /^(?:@virgule\/)?(\w+)(?:\/(\w+))?$/.exec(specifier) ?? [];
  const file = join(packages, folder, 'src', `${path}.ts`);
  if (existsSync(file)) return file;
  // Some entries are in a separate folder.
  return join(packages, folder, 'src', path, 'index.ts');
}

interface Export {
  readonly name: string;
  /** Its name in the other module. */
  readonly imported: string;
  /** The other module; `undefined` if it is declared here. */
  readonly from: string | undefined;
}

/** Returns the source file that a module imports. */
const sourceFrom = (file: string, from: string): string =>
  from.startsWith('.') ? join(dirname(file), from.replace(/\.js$/, '.ts')) : sourceOf(from);

/** Returns the exports of a module. */
function exportsOf(file: string): Export[] {
  const text = read(file);
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)];
  const passedOn = lists.flatMap(([, names = '', from]) =>
    [...names.matchAll(/(?:type )?(\w+)(?: as (\w+))?\s*(?:,|$)/g)].map(
      ([, imported = '', name = imported]) => ({
        name,
        imported,
        from,
      }),
    ),
  );
  const own = [
    ...text.matchAll(
      /^export (?:declare )?(?:async )?(?:function|const|interface|type|class)\*? (\w+)/gm,
    ),
  ];
  const all = [...text.matchAll(/^export (?:type )?\* from '([^']+)'/gm)].flatMap(([, from = '']) =>
    exportsOf(sourceFrom(file, from)).map(({ name }) => ({ name, imported: name, from })),
  );
  return [
    ...passedOn,
    ...all,
    ...new Map(
      own.map(([, name = '']) => [name, { name, imported: name, from: undefined }]),
    ).values(),
  ];
}

const read = (file: string): string => readFileSync(file, 'utf8');

/** Returns the declaration of an export, followed to the module that has it. */
function declarationOf(file: string, name: string): Pick<ApiItem, 'kind' | 'summary'> {
  const text = read(file);
  const found = exportsOf(file).find((one) => one.name === name);
  if (found?.from !== undefined) return declarationOf(sourceFrom(file, found.from), found.imported);
  const declared = new RegExp(
    String.raw`(?:^/\*\*([^]*?)\*/\n)?(?:// .*\n)*^export (?:declare )?(?:async )?(function|const|interface|type|class)\*? ${name}\b`,
    'm',
  );
  // The comment right before it: none may end in between.
  const at = text.search(
    new RegExp(
      String.raw`^export (?:declare )?(?:async )?(?:function|const|interface|type|class)\*? ${name}\b`,
      'm',
    ),
  );
  const start = text.lastIndexOf('\n/**', at);
  const [, comment = '', kind = ''] = declared.exec(text.slice(Math.max(start + 1, 0))) ?? [];
  const [summary = ''] = comment
    .replaceAll(/^\s*\* ?/gm, '')
    .trim()
    .split(/\n\s*\n|\n(?=@)/);
  return { kind, summary: summary.replaceAll(/\s+/g, ' ') };
}

/** Exports of a package. */
export interface ApiEntry {
  readonly entry: string;
  readonly about: string;
  readonly items: readonly ApiItem[];
}

/** Returns all entries with their exports, in the order of the names. */
export const apiEntries = (): ApiEntry[] =>
  Object.entries(ENTRIES).map(([entry, about]) => {
    const file = sourceOf(entry);
    const items = exportsOf(file).map(({ name }) => ({ name, ...declarationOf(file, name) }));
    return { entry, about, items: items.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
  });
