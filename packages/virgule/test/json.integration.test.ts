import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { startSimulator } from '@virgule/simulator';
import { BIN } from './running-dev.js';
import { createTestProject } from './test-project.js';

const NOISY = {
  'commands/a.ts': `
    console.log('IMPORTED');
    process.stdout.write('WRITTEN\\n');
    export default { description: 'A', run: () => { console.info('HANDLED'); return 'hi'; } };`,
  'services.ts': `
    import { defineServices } from 'virgule';
    export default defineServices(() => {
      console.log('CREATED');
      return { db: { [Symbol.dispose]: () => console.log('DISPOSED') } };
    });`,
};

it('prints nothing but JSON with --json, whatever the code of the bot prints', async () => {
  await using project = await createTestProject(NOISY);
  await using platform = await startSimulator();
  const variables = {
    BOT_TOKEN: platform.token,
    BOT_BASE_URL: platform.baseUrl,
    BOT_GATEWAY_URL: platform.gatewayUrl,
  };
  const lines = [
    ['check', '--routes'],
    ['run', '/a'],
    ['doctor'],
    ['build', '--no-types'],
    ['deploy', '--check'],
  ];
  const ends = await Promise.all(
    lines.map(
      (argv) =>
        new Promise<{ out: string; err: string }>((resolve) => {
          execFile(
            process.execPath,
            [BIN, ...argv, '--json'],
            // oxlint-disable-next-line virgule/outside-world -- a program of its own gets this one's environment.
            { cwd: project.root, env: { ...process.env, ...variables } },
            (_error, out, err) => resolve({ out, err }),
          );
        }),
    ),
  );
  for (const { out } of ends) expect(Object.keys(JSON.parse(out) as object)).toContain('v');
  const prints = (index: number) => ends[index]?.err.match(/^[A-Z]{3,}$/gm);
  expect(prints(0)).toEqual(['IMPORTED', 'WRITTEN']);
  expect(prints(1)).toEqual(['IMPORTED', 'WRITTEN', 'CREATED', 'HANDLED', 'DISPOSED']);
});
