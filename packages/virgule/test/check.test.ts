import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { checkProject } from '../src/project/check-project.js';
import { runCli, type CliResult, type Files } from './run-cli.js';
import { createTestIo, type TestIoOptions } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

const check = (
  files: Files,
  argv: readonly string[] = [],
  options: Partial<TestIoOptions> = {},
): Promise<CliResult> => runCli(files, ['check', ...argv], options);

interface Printed {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly docsUrl: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly frame: string | null;
}

async function checkJson(files: Files) {
  const { code, out, err } = await check(files, ['--json']);
  const { findings, ...counts } = JSON.parse(out) as { readonly findings: readonly Printed[] };
  return { code, err, counts, findings };
}

const place = ({ code, file, line, column }: Printed): string =>
  `${file}:${line}:${column} ${code}`;

const command = (options: string, more = ''): string => `
import { defineCommand, option } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Test',
  options: ${options},${more}
  run: () => 'ok',
});
`;

const HELLO = { 'commands/hello.ts': answering('hello') };

/** One mistake each, twelve kinds of them, and a valid command. */
const TWELVE_MISTAKES: Files = {
  ...HELLO,
  'commands/a-syntax.ts': 'export default {\n  run: (\n',
  'commands/b-handler.ts': `export default {\n  description: 'B',\n};\n`,
  'commands/c-key.ts': `export default {\n  description: 'C',\n  timout: '5s',\n  run: () => 'c',\n};\n`,
  'commands/d-description.ts': `// No description here\nexport default { run: () => 'd' };\n`,
  'commands/e-setting.ts': command('z.object({})', '\n  defer: 2000,'),
  'commands/f-options.ts': command('z.string()'),
  'commands/g-type.ts': command('z.object({\n    when: z.date(),\n  })'),
  'commands/h-name.ts': command('z.object({\n    "max count": z.int(),\n  })'),
  'commands/i-order.ts': command(
    'z.object({\n    note: z.int().optional(),\n    to: option.user(),\n  })',
  ),
  'commands/j/index.ts': answering('twice'),
  'commands/j.ts': answering('twice'),
  'commands/k-import.ts': `import { gone } from '../lib/gone.js';\nexport default () => gone;\n`,
  'events/message-crate.ts': 'export default () => {};\n',
};

describe('virgule check, on a folder with 12 different mistakes', () => {
  it('prints 12 findings, sorted by file, each with its code and place', async () => {
    const { code, err, counts, findings } = await checkJson(TWELVE_MISTAKES);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(counts).toEqual({ v: 1, errors: 12, warnings: 0 });
    expect(findings.map(place)).toEqual([
      'commands/a-syntax.ts:3:1 E_SYNTAX',
      'commands/b-handler.ts:1:1 E_NO_HANDLER',
      'commands/c-key.ts:3:3 E_UNKNOWN_KEY',
      'commands/d-description.ts:2:1 E_DESCRIPTION',
      'commands/e-setting.ts:8:3 E_SETTING',
      'commands/f-options.ts:7:3 E_OPTION_TYPE',
      'commands/g-type.ts:8:5 E_OPTION_TYPE',
      'commands/h-name.ts:8:5 E_OPTION_NAME',
      'commands/i-order.ts:9:5 E_OPTION_ORDER',
      'commands/j/index.ts:1:1 E_COMMAND_CONFLICT',
      'commands/k-import.ts:1:22 E_MODULE_NOT_FOUND',
      'events/message-crate.ts:1:1 E_FILE_NAME',
    ]);
  });

  it('shows each with a hint, a page and a code frame that points at the place', async () => {
    const { findings } = await checkJson(TWELVE_MISTAKES);
    for (const { severity, hint, docsUrl, code, frame, line } of findings) {
      expect(severity).toBe('error');
      expect(hint).toMatch(/\S/);
      expect(docsUrl).toMatch(new RegExp(`/${code.toLowerCase()}$`));
      expect(frame).toMatch(new RegExp(`^> +${line} \\|`, 'm'));
      expect(frame).toMatch(/^ +\| +\^$/m);
    }
  });

  it('prints the same as text, with a count at the end', async () => {
    const { code, out, err } = await check(TWELVE_MISTAKES);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out.match(/^Error \[E_\w+\]/gm)).toHaveLength(12);
    expect(out.match(/^Try: {2}\S/gm)).toHaveLength(12);
    expect(out).toContain(
      [
        'Error [E_OPTION_TYPE] Option "when" of commands/g-type.ts is a date, which no option type of the platform supports.',
        '  at commands/g-type.ts:8:5',
        '',
        "   6 |   description: 'Test',",
        '   7 |   options: z.object({',
        '>  8 |     when: z.date(),',
        '     |     ^',
      ].join('\n'),
    );
    expect(out).toMatch(/\n✗ 12 errors in 12 files\.\n$/);
    expect(out).not.toMatch(/packages\/virgule\/(src|dist)/);
  });
});

describe('virgule check', () => {
  it('ends with 0 when there are no problems, and prints a summary', async () => {
    const files = { ...HELLO, 'events/ready.ts': 'export default () => {};' };
    expect(await check(files)).toMatchObject({
      code: 0,
      out: '✓ No problems: 1 command, 1 event handler.\n',
      err: '',
    });
    expect(JSON.parse((await check(files, ['--json'])).out)).toEqual({
      v: 1,
      errors: 0,
      warnings: 0,
      findings: [],
    });
  });

  it('counts tasks, and shows what is wrong with one at its line', async () => {
    const task = (every: string) => `export default {
  every: '${every}',
  run() {},
};`;
    const files = { ...HELLO, 'tasks/digest.ts': task('1h') };
    expect((await check(files)).out).toBe('✓ No problems: 1 command, 0 event handlers, 1 task.\n');
    const wrong = { ...files, 'tasks/digest.ts': task('hourly') };
    const { code, out } = await check(wrong, ['--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out).findings).toMatchObject([
      {
        severity: 'error',
        code: 'E_SETTING',
        file: 'tasks/digest.ts',
        line: 2,
        message: expect.stringContaining('every in tasks/digest.ts'),
      },
    ]);
  });

  it('shows no secret of the environment in what a file threw, and needs none to be readable', async () => {
    const env = { API_KEY: 'a-long-secret' };
    const files = {
      'virgule.config.ts': `import * as z from 'zod';\nexport default { env: z.object({ API_KEY: z.string() }) };\n`,
      'commands/a.ts': `throw new Error('refused: a-long-secret');\n`,
      // No file at all.
      '.env/x': '',
    };
    for (const argv of [[], ['--json']]) {
      const { out } = await check(files, argv, { env });
      expect(out).toContain('refused: [redacted]');
      expect(out).not.toContain('a-long-secret');
    }
  });

  it('warns of an option description that had to be cut, and ends with 0', async () => {
    const long = 'word '.repeat(30).trim();
    const { code, findings } = await checkJson({
      'commands/a.ts': command(`z.object({\n    n: z.int().max(9).describe('${long}'),\n  })`),
    });
    expect(code).toBe(0);
    expect(findings.map(place)).toEqual(['commands/a.ts:8:5 E_DESCRIPTION_CUT']);
    expect(findings[0]).toMatchObject({
      severity: 'warning',
      message: expect.stringMatching(/fit into 100 characters; users see "word .*… \(at most 9\)"/),
    });
  });

  it('warns of an import that brings all of zod into a build, with its line', async () => {
    const { code, findings } = await checkJson({
      'commands/a.ts': `import { defineCommand } from 'virgule';
import { z } from 'zod';
export default defineCommand({ description: 'A', options: z.object({}), run: () => 'a' });`,
      'commands/b.ts': command('z.object({})'),
    });
    expect(code).toBe(0);
    expect(findings.map(place)).toEqual(['commands/a.ts:2:1 E_ZOD_IMPORT']);
    expect(findings[0]?.hint).toBe("Write: import * as z from 'zod'.");
  });

  it('warns of durations that the platform does not wait for, with their lines', async () => {
    const { code, findings } = await checkJson({
      'commands/a.ts': `export default {
        description: 'A',
        defer: '10s',
        timeout: '1d',
        run: () => 'done',
      };`,
    });
    expect(code).toBe(0);
    expect(findings.map(({ message, line }) => [line, message])).toEqual([
      [3, 'defer in commands/a.ts is 10s, but the platform waits only 3s.'],
      [4, 'timeout in commands/a.ts is 1d, but the platform waits only 15m.'],
    ]);
  });

  it('warns of a commands folder without a command', async () => {
    const { code, findings } = await checkJson({
      'commands/_lib.ts': '',
      'commands/README.md': '',
    });
    expect(code).toBe(0);
    expect(findings).toMatchObject([
      { severity: 'warning', code: 'E_NO_COMMANDS', message: 'commands/ contains no command.' },
    ]);
    expect(findings[0]).toMatchObject({ file: 'commands', line: null, frame: null });
  });

  it('prints warnings as such, among the errors', async () => {
    const { code, out } = await check({
      'commands/a.ts': command(`z.object({ n: z.int().describe('${'x'.repeat(120)}') })`),
      'commands/b.ts': 'export const b = 1;',
    });
    expect(code).toBe(1);
    expect(out.indexOf('Warning [E_DESCRIPTION_CUT]')).toBe(0);
    expect(out.indexOf('Error [E_')).toBeGreaterThan(0);
    expect(out).toContain('1 warning in 2 files.');
  });

  it('counts one file once, however many findings are in it', async () => {
    const { out } = await check({
      'commands/a.ts': command('z.object({ a: z.date(), b: z.date() })'),
    });
    expect(out).toContain('✗ 2 errors in 1 file.');
  });

  it('reports a broken tsconfig once, however many files it is about', async () => {
    const { code, findings } = await checkJson({
      ...HELLO,
      'commands/other.ts': answering('other'),
      'tsconfig.json': '{ "extends": "./gone.json" }',
    });
    expect(code).toBe(1);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      code: 'E_TSCONFIG_INVALID',
      file: 'tsconfig.json',
      line: 1,
    });
  });

  it('reports a folder without commands', async () => {
    const { code, findings } = await checkJson({ 'index.ts': '' });
    expect(code).toBe(1);
    expect(findings).toMatchObject([
      { code: 'E_NO_COMMANDS_FOLDER', file: 'commands', line: null },
    ]);
  });

  it('reports a folder that cannot be read at all', async () => {
    const result = await checkProject('no\0where', () => Promise.reject(new Error('unused')));
    expect(result).toMatchObject({ errors: 1, warnings: 0, opened: null });
    expect(result.findings[0]?.problem.code).toBe('E_PROJECT_UNREADABLE');
  });

  it('imports what commands need and starts no services', async () => {
    const { code, out, root } = await check({
      'services.ts': `
        import { writeFileSync } from 'node:fs';
        export default () => { writeFileSync(new URL('started', import.meta.url), ''); return {}; };`,
      'lib/text.ts': `export const text = 'from a helper';`,
      'commands/a.ts': `
        import { text } from '../lib/text.js';
        export default { description: text, run: () => text };`,
    });
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('No problems') });
    await expect(access(join(root, 'started'))).rejects.toThrow('ENOENT');
  });

  it('continues with a warning if it cannot write the types', async () => {
    const { code, err } = await check({
      ...HELLO,
      'services.ts': 'export default () => ({});',
      '.virgule/types.d.ts/a-folder': '',
    });
    expect(code).toBe(0);
    expect(err).toMatch(/^! \.virgule\/types\.d\.ts cannot be written: .*\n$/);
  });

  it('needs no token, and prints none of the environment', async () => {
    const { out } = await check(TWELVE_MISTAKES, [], { env: { BOT_TOKEN: 'a-secret-token' } });
    expect(out).not.toContain('a-secret-token');
  });

  it('ends with 130 at Ctrl+C while a module never finishes loading', async () => {
    const project = await createTestProject({ 'commands/a.ts': 'await new Promise(() => {});' });
    onTestFinished(() => project[Symbol.asyncDispose]());
    const io = createTestIo({ cwd: project.root });
    const ended = run(['check'], io);
    io.stop('SIGINT');
    expect(await ended).toBe(130);
    expect({ out: io.out, err: io.err }).toEqual({ out: '', err: '' });
  });

  it('colors errors and warnings differently, where allowed', async () => {
    const files = { ...HELLO, 'commands/b.ts': 'export const b = 1;' };
    const { out } = await check(files, [], { color: true });
    expect(out).toContain('\u001B[31mError [');
    expect((await check(files)).out).not.toContain('\u001B');
  });
});
