import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

const EXPIRE = JSON.stringify({
  rules: [
    {
      name: 'expire',
      on: { request: 'interactions.respond' },
      do: { type: 'expire' },
      times: 1,
    },
  ],
});

async function chaos(files: Readonly<Record<string, string>>, ...argv: string[]) {
  const project = await createTestProject({ 'commands/hello.ts': answering('hello'), ...files });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const io = createTestIo({ cwd: project.root });
  const code = await run(['chaos', ...argv], io);
  return { code, out: io.out, err: io.err };
}

describe('virgule chaos', () => {
  it('passes a bot that takes what the platform does', async () => {
    const { code, out, err } = await chaos({}, '--only', 'lost answers');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/1 kind of trouble, 1 line, seed 1\n\n {2}✓ lost answers +\d fault/);
    expect(out).toMatch(/\n1 passed, 0 failed\n$/);
  });

  it('fails one whose users notice, and names what they see', async () => {
    const { code, out } = await chaos({ 'faults.json': EXPIRE }, '--faults', 'faults.json');
    expect(code).toBe(1);
    expect(out).toContain('✗ faults.json');
    expect(out).toContain('      /hello expired\n');
    expect(out).toContain('0 passed, 1 failed. LOG_LEVEL=warn shows the log.');
  });

  it('types a valid value for each option, and names the commands that took none', async () => {
    const taking = (schema: string): string =>
      `import * as z from 'zod'; import { option } from 'virgule';
      export default { description: 'X', options: z.object({ x: ${schema} }),
        run: async ({ options }) => String(options.x).startsWith('http')
          ? (await fetch(options.x)).text() : 'done' };`;
    const files = {
      'commands/file.ts': taking('option.attachment()'),
      'commands/later.ts': taking('option.duration()'),
      'commands/color.ts': taking(`z.enum(['red', 'blue'])`),
      'commands/dice.ts': taking('z.int().min(10)'),
      'commands/code.ts': taking('z.string().regex(/^#/)'),
    };
    const { code, out } = await chaos(files, '--only', 'lost answers');
    expect(code).toBe(0);
    expect(out).toContain('1 kind of trouble, 6 lines');
    expect(out).toMatch(
      /\nSkipped \(no valid options\): \/code\. Pass a line of your own, as in virgule chaos "\/code OPTIONS"\.\n1 passed, 0 failed\n$/,
    );
    const { out: json } = await chaos(files, '--only', 'lost answers', '--json');
    expect(JSON.parse(json)).toMatchObject({ untried: ['code'] });
    const lines = ['/color blue', '/code #1'];
    const { out: some } = await chaos(files, ...lines, '--only', 'lost answers', '--json');
    expect(JSON.parse(some)).toMatchObject({ lines, untried: [] });
  });

  it('prints scores as JSON', async () => {
    const { code, out } = await chaos({}, '--only', 'doubled events', '--json', '--seed', '7');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      v: 1,
      seed: '7',
      lines: ['/hello'],
      scores: [{ preset: 'doubled events', failures: [], hits: expect.any(Number) }],
    });
  });

  it.each<[file: string, text: string, reason: RegExp]>([
    ['nothing.json', '', /\[E_SIM_FAULTS\].*ENOENT/],
    ['faults.json', '{', /\[E_SIM_FAULTS\].*JSON/],
    ['faults.json', '{ "rules": [{ "name": "x" }] }', /\[E_SIM_FAULTS\].*rules\[0\]\.on/],
  ])('reports a file of faults that cannot be used: %s %j', async (file, text, reason) => {
    const { code, err } = await chaos(text === '' ? {} : { [file]: text }, '--faults', file);
    expect(code).toBe(1);
    expect(err).toMatch(reason);
  });

  it.each([['/roll', '20'], ['']])('refuses anything but lines: %j', async (...words) => {
    const { code, err } = await chaos({}, ...words);
    expect(code).toBe(1);
    expect(err).toContain('[E_ARGUMENTS]');
    expect(err).toContain('in quotes');
  });

  it('names the faults that there are', async () => {
    const { code, err } = await chaos({}, '--only', 'earthquake');
    expect(code).toBe(1);
    expect(err).toContain('"bad day"');
  });
});
