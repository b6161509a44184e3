import { describe, expect, it } from 'vitest';
import { locateDefaultExport, locateExport, locateKey, locatePath } from './locate-key.js';

const file = 'commands/x.ts';
const at = (source: string, key: string): string => {
  const { line, column } = locateKey({ file, source }, key);
  return `${line}:${column}`;
};

describe('locateKey', () => {
  it.each<[string, string, string]>([
    ['options: z.object({\n  url: z.url(),\n})', 'url', '2:3'],
    ["options: z.object({ 'max-count': z.int() })", 'max-count', '1:21'],
    ['options: z.object({ "a": z.int() })', 'a', '1:21'],
    ['url: 1,\noptions: z.object({ url: z.url() })', 'url', '2:21'],
    ['const shape = {\n url: z.url() };\nexport const options = z.object(shape);', 'url', '2:2'],
    ['options: {\n // url: no\n /* url: no\n */ url : z.url() }', 'url', '4:5'],
    ["options: { a: z.string().describe('url: no'), url: z.url() }", 'url', '1:47'],
    ['options: { curl: 1, url: 2 }', 'url', '1:21'],
    ['options: { a: `url: ${1}`, url: 2 }', 'url', '1:28'],
    ['options: { a: x.url, url: 2 }', 'url', '1:22'],
    ['a: 1,\n options: imported', 'url', '2:2'],
    ['options: { $x: 1, url: 2, "a.b": 3 }', 'a.b', '1:27'],
  ])('finds the key in %j', (source, key, position) => {
    expect(at(source, key)).toBe(position);
  });

  it('names the file alone when there is nothing to find', () => {
    expect(locateKey({ file }, 'url')).toEqual({ file });
    expect(locateKey({ file, source: 'export default 1;' }, 'url')).toEqual({ file });
  });

  it.each([
    ['characters', `"${'a'.repeat(20_000_000)}"`],
    ['escapes', `'${String.raw`\n`.repeat(4_000_000)}'`],
    ['characters of a template', `\`${'a'.repeat(20_000_000)}\``],
  ])('finds a key behind a string of millions of %s', (_, text) => {
    expect(at(`const data = ${text};\noptions: { url: 1 }`, 'url')).toBe('2:12');
  });

  it('finds where the options begin', () => {
    const source = "// options: none\nexport const meta = 'options: x';\nexport const options = 5;";
    expect(locatePath({ file, source }, ['options'])).toEqual({ file, line: 3, column: 14 });
  });
});

describe('locatePath', () => {
  it.each<[string, string, string]>([
    ["export default {\n  timeout: '5s',\n}", 'timeout', '2:3'],
    ['export const description = 1;', 'description', '1:14'],
    ['export function helper() {}', 'helper', '1:17'],
    ["{ 'a-b': 1 }", 'a-b', '1:3'],
    ['// defer: no\nx.defer = 1; { defer: 2 }', 'defer', '2:16'],
    ["const text = 'defer: x';\n{ defer: 2 }", 'defer', '2:3'],
    [
      'class Row {\n  constructor(public components: string[]) {}\n}\nexport default defineCommand({\n  components: [],\n})',
      'components',
      '5:3',
    ],
    ['const config = { name: 1 };\nexport default {\n  name: 2 }', 'name', '3:3'],
    ['export default defineCommand({\n  options: z.object({ name: 1 }),\n  name })', 'name', '3:3'],
    [
      'export default defineCommand<A<B>>({ run: execute,\n async execute() {} })',
      'execute',
      '2:8',
    ],
    ['const play = defineCommand({\n data: 1 });\nexport default play;', 'data', '2:2'],
    ["export default defineEvent('X', () => ({ own: 1 }), {\n own: 2 })", 'own', '2:2'],
    ['export default { cooldown: { every: 1 } }', 'every', '1:30'],
    ['export const data = 1;\nexport default defineCommand({})', 'data', '1:14'],
    // The pattern makes what follows look like a text: a guess is better than nothing.
    ["const quote = /'/; const a = { defer: 2 }; '", 'defer', '1:32'],
  ])('finds in %j the name %s', (source, name, position) => {
    const { line, column } = locatePath({ file, source }, [name]);
    expect(`${line}:${column}`).toBe(position);
  });

  it('names the file alone when there is nothing to find', () => {
    expect(locatePath({ file }, ['defer'])).toEqual({ file });
    expect(locatePath({ file, source: 'deferred: 1' }, ['defer'])).toEqual({ file });
  });
});

describe('locateExport', () => {
  it.each<[string, string, string]>([
    [
      'export default defineCommand({ run: () => help() });\nexport function help() {}',
      'help',
      '2:17',
    ],
    ['export default defineCommand({ data: 1 });\nexport const data = 1;', 'data', '2:14'],
    ['export default { run };\nexport async function* steps() {}', 'steps', '2:24'],
    ['const data = 1;\nexport { data };', 'data', '1:7'],
  ])('finds in %j the export %s', (source, name, position) => {
    const { line, column } = locateExport({ file, source }, name);
    expect(`${line}:${column}`).toBe(position);
  });
});

describe('locateDefaultExport', () => {
  it.each([
    ['export default {};', '1:1'],
    ["// export default\nconst a = 'export default';\nexport default a;", '3:1'],
    ['const a = 1;\nexport { a as default };', '2:1'],
  ])('finds it in %j', (source, position) => {
    const { line, column } = locateDefaultExport({ file, source });
    expect(`${line}:${column}`).toBe(position);
  });

  it('names the file alone when there is none', () => {
    expect(locateDefaultExport({ file, source: 'export const a = 1;' })).toEqual({ file });
    expect(locateDefaultExport({ file })).toEqual({ file });
  });
});
