import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';
import { createTestProject } from './test-project.js';

const FILES = {
  'virgule.config.ts': `
    import * as z from 'zod';
    export default { separator: '_', env: z.object({ NAME: z.string(), KEY: z.string().default('none') }) };`,
  'services.ts': `
    export default ({ env, log }) => {
      log.warn({}, 'Connected with ' + env.KEY);
      return { greeting: 'Hello, ' + env.NAME };
    };`,
  'commands/say/hello.ts': `export default { description: 'H', run: ({ services }) => services.greeting };`,
};

async function start(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
) {
  const project = await createTestProject({ ...FILES, ...files });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const io = createTestIo({ cwd: project.root, env });
  return { io, code: await run(['run', '/say_hello'], io) };
}

describe('virgule run', () => {
  it('makes the services, in the environment of development', async () => {
    const { io, code } = await start({
      '.env': 'NAME=env\nKEY=a-long-secret',
      '.env.development': 'NAME=development',
      '.env.test': 'NAME=test',
    });
    expect([code, io.out]).toEqual([0, 'Hello, development\n']);
    expect(io.err).toContain('Connected with [redacted]');
  });

  it('lets the process win over the files', async () => {
    const { io } = await start({ '.env': 'NAME=env' }, { NAME: 'process' });
    expect(io.out).toBe('Hello, process\n');
  });

  it('reports every variable that is missing, with its line', async () => {
    const { io, code } = await start({});
    expect(code).toBe(1);
    expect(io.err).toContain('[E_ENV_INVALID] The environment variable NAME is not set.');
    expect(io.err).toContain('at virgule.config.ts:3:');
    expect(io.err).toContain('> 3 |');
  });

  it('reports why services failed, and prints no answer', async () => {
    const { io, code } = await start({
      '.env': 'NAME=env',
      'services.ts': `export default async () => { throw new Error('no database'); };`,
    });
    expect([code, io.out]).toEqual([1, '']);
    expect(io.err).toContain('[E_SERVICES_FAILED]');
    expect(io.err).toContain('at services.ts:1:');
  });
});
