import { describe, expect, it } from 'vitest';
import { locatePath } from './locate-key.js';

const file = 'virgule.config.ts';
const at = (source: string, ...path: string[]): string => {
  const { line, column } = locatePath({ file, source }, path);
  return `${line}:${column}`;
};

describe('locatePath', () => {
  it.each<[string, string[], string]>([
    ['export default defineConfig({\n  drain: 5,\n});', ['drain'], '2:3'],
    [`export default { 'drain': 5 };`, ['drain'], '1:18'],
    ['export default { profile: { pageMax: 1 } };', ['profile', 'pageMax'], '1:29'],
    ['export default { pageMax: 0, profile: { pageMax: 1 } };', ['profile', 'pageMax'], '1:41'],
    ['const drain = 5;\nexport default { drain };', ['drain'], '2:18'],
    ['const drain: number = 5;\nconst c = defineConfig({ drain: 1 });', ['drain'], '2:26'],
    ['export default {\n // drain: 1\n drain: 2 };', ['drain'], '3:2'],
    [`export default { silentText: 'drain: 1', drain: 2 };`, ['drain'], '1:42'],
    ['const env = z.object({ URL: z.url() });\nexport default { env };', ['env', 'URL'], '1:24'],
    ['export default {\n  env: shared,\n};', ['env', 'URL'], '2:3'],
    ['export default { "a.b": 1 };', ['a.b'], '1:18'],
  ])('finds in %j the property %j', (source, path, position) => {
    expect(at(source, ...path)).toBe(position);
  });

  it('names the file alone when there is nothing to find', () => {
    expect(locatePath({ file }, ['drain'])).toEqual({ file });
    expect(locatePath({ file, source: 'export default shared;' }, ['drain'])).toEqual({ file });
    expect(locatePath({ file, source: 'export default {};' }, [])).toEqual({ file });
    // The name of nothing is everywhere: the search must not stay there.
    expect(locatePath({ file, source: 'defineX({ a: 1 }, () => 1);' }, [''])).toEqual({ file });
  });
});
