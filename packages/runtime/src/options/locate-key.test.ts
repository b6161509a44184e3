import { describe, expect, it } from 'vitest';
import { locateKey, locateOptions } from './locate-key.js';

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
    expect(locateOptions({ file, source: '' })).toEqual({ file });
  });

  it('finds where the options begin', () => {
    const source = "// options: none\nexport const meta = 'options: x';\nexport const options = 5;";
    expect(locateOptions({ file, source })).toEqual({ file, line: 3, column: 14 });
  });
});
