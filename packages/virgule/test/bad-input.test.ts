import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { runCli, type CliResult, type Files } from './run-cli.js';
import { answering } from './test-project.js';

const virgule = (files: Files, argv: readonly string[], env = {}): Promise<CliResult> =>
  runCli(files, argv, { env });

const withOptions = (options: string): string => `
import { defineCommand } from 'virgule';
import * as z from 'zod';
export default defineCommand({
  description: 'Test',
  options: ${options},
  run: () => 'ok',
});
`;

const HELLO = { 'commands/hello.ts': answering('hello') };

/** Each is one mistake, its error code, and what the text has to name. */
const MISTAKES: readonly [
  mistake: string,
  files: Readonly<Record<string, string>>,
  code: string,
  names: string[],
][] = [
  ['no commands folder', { 'index.ts': '' }, 'E_NO_COMMANDS_FOLDER', ['commands']],
  [
    'a file without a handler',
    { 'commands/a.ts': 'export const x = 1;' },
    'E_NO_HANDLER',
    ['commands/a.ts'],
  ],
  [
    'an unknown key',
    {
      'commands/a.ts': `export default {\n  description: 'A',\n  runn: () => 'a',\n  run: () => 'a',\n};`,
    },
    'E_UNKNOWN_KEY',
    ['commands/a.ts:3', '"runn"', 'Did you mean "run"?'],
  ],
  [
    'an unknown export',
    {
      'commands/a.ts': `export const desciption = 'A';\nexport const description = 'A';\nexport default () => 'a';`,
    },
    'E_UNKNOWN_KEY',
    ['commands/a.ts:1', 'Did you mean "description"?'],
  ],
  [
    'two files for one command',
    { 'commands/a.ts': answering('a'), 'commands/a/index.ts': answering('a') },
    'E_COMMAND_CONFLICT',
    ['commands/a.ts', 'commands/a/index.ts'],
  ],
  [
    'options that are no object',
    { 'commands/a.ts': withOptions('z.string()') },
    'E_OPTION_TYPE',
    ['commands/a.ts:6'],
  ],
  [
    'a type the wire cannot carry',
    { 'commands/a.ts': withOptions('z.object({ when: z.date() })') },
    'E_OPTION_TYPE',
    ['commands/a.ts:6', 'when'],
  ],
  [
    'a required option after an optional one',
    {
      'commands/a.ts': withOptions(
        'z.object({\n    a: z.string().optional(),\n    b: z.string(),\n  })',
      ),
    },
    'E_OPTION_ORDER',
    ['commands/a.ts:8', 'b'],
  ],
  [
    'a name the platform refuses',
    { 'commands/Größe.ts': answering('a') },
    'E_FILE_NAME',
    ['commands/Größe.ts'],
  ],
  [
    'no description',
    { 'commands/a.ts': `export default { run: () => 'a' };` },
    'E_DESCRIPTION',
    ['commands/a.ts'],
  ],
  [
    'a setting that is none',
    { 'commands/a.ts': `export default { description: 'A', defer: 2000, run: () => 'a' };` },
    'E_SETTING',
    ['commands/a.ts:1', 'saw 2000'],
  ],
  [
    'a syntax error',
    { 'commands/a.ts': 'export default {\n  run: (' },
    'E_SYNTAX',
    ['commands/a.ts'],
  ],
  [
    'a module that throws',
    { 'commands/a.ts': `throw new Error('boom');` },
    'E_LOAD_FAILED',
    ['commands/a.ts', 'boom'],
  ],
  [
    'an import of nothing',
    { 'commands/a.ts': `import './gone.js';` },
    'E_MODULE_NOT_FOUND',
    ['commands/a.ts', 'gone'],
  ],
];

/** Mistakes outside of the commands, which every command of the command line has to report alike. */
const PROJECT_MISTAKES: readonly [
  mistake: string,
  files: Readonly<Record<string, string>>,
  code: string,
  names: string[],
][] = [
  ['no commands folder', { 'index.ts': '' }, 'E_NO_COMMANDS_FOLDER', ['commands/hello.ts']],
  [
    'a tsconfig that is no JSON',
    { ...HELLO, 'tsconfig.json': '{\n  "compilerOptions": { "strict": tru\n' },
    'E_TSCONFIG_INVALID',
    ['tsconfig.json', 'not JSON'],
  ],
  [
    'a tsconfig that extends one that is no JSON',
    {
      ...HELLO,
      'tsconfig.json': '{ "extends": "./base.json" }',
      'base.json': '{\n  "compilerOptions": { "strict": tru\n',
    },
    'E_TSCONFIG_INVALID',
    ['base.json', 'not JSON'],
  ],
  [
    'a tsconfig that extends nothing',
    { ...HELLO, 'tsconfig.json': '{ "extends": "./gone.json" }' },
    'E_TSCONFIG_INVALID',
    ['tsconfig.json', 'gone.json'],
  ],
  [
    'a configuration that cannot be read',
    { ...HELLO, 'virgule.config.ts': 'export default {\n  separator: ,\n};' },
    'E_SYNTAX',
    ['virgule.config.ts:2:14'],
  ],
  [
    'a configuration with an unknown key',
    { ...HELLO, 'virgule.config.ts': `export default {\n  seperator: '_',\n};` },
    'E_UNKNOWN_KEY',
    ['virgule.config.ts:2:3', 'Did you mean "separator"?'],
  ],
];

describe('bad input', () => {
  it.each(MISTAKES)('%s: one clear error, exit code 1', async (_, files, code, names) => {
    const result = await virgule(files, ['run', '/a']);
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.err).toContain(`[${code}]`);
    for (const name of names) expect(result.err).toContain(name);
    expect(result.err).toMatch(/^Try: {2}\S/m);
    expect(result.err).toMatch(/^Docs: https:/m);
    // A stack would name the files of Virgule.
    expect(result.err).not.toMatch(/packages\/virgule\/(src|dist)/);
  });

  it.each(
    PROJECT_MISTAKES.flatMap(([mistake, ...others]) =>
      [['check'], ['run', '/hello'], ['build']].map((argv) => ({ mistake, argv, others })),
    ),
  )('$mistake, for $argv: reported once, exit code 1', async ({ argv, others }) => {
    const [files, code, names] = others;
    const result = await virgule(files, argv);
    expect(result.code).toBe(1);
    const reported = result.out + result.err;
    expect(reported.match(/^Error \[/gm)).toHaveLength(1);
    expect(reported.match(/^Try: {2}\S/gm)).toHaveLength(1);
    expect(reported).toContain(`[${code}]`);
    for (const name of names) expect(reported).toContain(name);
    expect(reported).not.toMatch(/packages\/virgule\/(src|dist)/);
  });

  it.each(PROJECT_MISTAKES)('%s, for doctor: it leads to check', async (_, files) => {
    const examined = await virgule(files, ['doctor']);
    expect(examined.code).toBe(1);
    expect(examined.out).toMatch(/^fail {2}project +1 error\n +Try: {2}Run `virgule check`/m);
  });

  it('reports every problem at once, sorted by file', async () => {
    const { code, err } = await virgule(
      {
        ...HELLO,
        'commands/b.ts': 'export const x = 1;',
        'commands/a.ts': withOptions('z.string()'),
      },
      ['run', '/a'],
    );
    expect(code).toBe(1);
    expect(err.indexOf('commands/a.ts')).toBeLessThan(err.indexOf('commands/b.ts'));
    expect(err).toMatch(/\d problems\. Nothing was started\./);
  });

  it.each([
    [['deploy', '--yes'], {}, 'E_TOKEN_MISSING'],
    [['deploy', '--yes'], { BOT_TOKEN: 't' }, 'E_ADDRESS_MISSING'],
    [
      ['deploy', '--yes'],
      { BOT_TOKEN: 't', BOT_BASE_URL: 'http://127.0.0.1:1' },
      'E_ADDRESS_MISSING',
    ],
    [
      ['deploy', '--yes'],
      { BOT_TOKEN: 't', BOT_BASE_URL: 'not an address', BOT_GATEWAY_URL: 'ws://127.0.0.1:1' },
      'E_BAD_ADDRESS',
    ],
    [['start'], {}, 'E_BUILD_UNUSABLE'],
    [['run'], {}, 'E_ARGUMENTS'],
    [['run', '/helo'], {}, 'E_COMMAND_UNKNOWN'],
    [['run', '/hello', '--loud'], {}, 'E_ARGUMENTS'],
    [['dev', '--port', 'abc'], {}, 'E_ARGUMENTS'],
    [['dev', '--port', '65536'], {}, 'E_ARGUMENTS'],
    [['simulator', '--port', '-1'], {}, 'E_ARGUMENTS'],
    [['simulator', '--port'], {}, 'E_ARGUMENTS'],
    [['check', 'commands'], {}, 'E_ARGUMENTS'],
    [['doctor', '--fix'], {}, 'E_ARGUMENTS'],
    [['start', '--open'], {}, 'E_ARGUMENTS'],
    [['cheque'], {}, 'E_ARGUMENTS'],
  ])('%j with %j is %s', async (argv, env, code) => {
    const result = await virgule(HELLO, argv, env);
    expect(result).toMatchObject({ code: argv[0] === 'start' ? 78 : 1, out: '' });
    expect(result.err).toContain(`[${code}]`);
  });

  it('says that a port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const result = await virgule(HELLO, ['simulator', '--port', String(port)]);
    expect(result.code).toBe(1);
    expect(result.err).toContain('[E_PORT_BUSY]');
    expect(result.err).toContain(String(port));
    server.close();
  });

  it('answers a user who types nonsense in one line, with the usage', async () => {
    const files = {
      'commands/roll.ts': withOptions('z.object({ sides: z.int().min(2).max(100) })'),
    };
    const { code, out } = await virgule(files, ['run', '/roll many']);
    expect(code).toBe(1);
    expect(out).toMatch(/sides.*"many".*\/roll <sides>/);
    expect(out.trim().split('\n')).toHaveLength(1);
  });
});
