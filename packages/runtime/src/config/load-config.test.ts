import { VirguleError } from '@virgule/core/errors';
import { describe, expect, it } from 'vitest';
import { loadConfig } from './read-config.js';

const importing = (exports: unknown) => ({
  importModule: async () => {
    if (exports instanceof Error) throw exports;
    return exports as Record<string, unknown>;
  },
  readSource: () => `export default {\n  drain: 1,\n};`,
});

describe('loadConfig', () => {
  it('returns every default for a project without a configuration', async () => {
    expect(await loadConfig(null, importing(new Error('not asked for')))).toEqual({
      config: {},
      problems: [],
    });
  });

  it('reads the default export', async () => {
    const { config } = await loadConfig(
      'virgule.config.ts',
      importing({ default: { drain: '1s' } }),
    );
    expect(config).toEqual({ drainMs: 1_000 });
  });

  it('names the file, line and column of a wrong value', async () => {
    const { problems } = await loadConfig(
      'virgule.config.js',
      importing({ default: { drain: 1 } }),
    );
    expect(problems).toMatchObject([
      { location: { file: 'virgule.config.js', line: 2, column: 3 } },
    ]);
  });

  it('reports why the file cannot be read, with the message of its reader', async () => {
    const error = new VirguleError({
      code: 'E_MADE_UP',
      kind: 'user',
      message: 'virgule.config.ts:3 is no TypeScript',
      location: { file: 'virgule.config.ts', line: 3 },
    });
    expect((await loadConfig('virgule.config.ts', importing(error))).problems).toEqual([error]);
    const { config, problems } = await loadConfig(
      'virgule.config.ts',
      importing(new Error('boom')),
    );
    expect([config, problems[0]?.code]).toEqual([{}, 'E_MODULE_THREW']);
  });
});
