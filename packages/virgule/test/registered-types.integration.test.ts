import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from './test-project.js';
import { BOT_TSCONFIG, typeCheck } from './type-check.js';

const registered = fileURLToPath(new URL('samples/registered', import.meta.url));

/** These see the types of what is built, as users do. */
describe('the types of a bot', () => {
  it('types services, env and locals in both forms of a command, in events, handlers and tests', async () => {
    expect(await typeCheck(registered)).toEqual({ code: 0, output: '' });
  });

  it('is no duty: a bot that registers nothing compiles too', async () => {
    const project = await createTestProject({
      'tsconfig.json': BOT_TSCONFIG,
      'services.ts': `
        import { defineServices } from 'virgule';
        export default defineServices(async ({ env }) => ({ db: String(env['URL']) }));`,
      'commands/a.ts': `
        import { defineCommand } from 'virgule';
        export default defineCommand({ description: 'A', run: ({ services }) => String(services['db']) });`,
      'commands/b.ts': `
        import { defineCommand } from 'virgule';
        export default defineCommand({ description: 'B', run: ({ locals }) => String(locals.user) });`,
    });
    onTestFinished(() => project[Symbol.asyncDispose]());
    const { code, output } = await typeCheck(project.root);
    expect(code).not.toBe(0);
    // The one complaint is about what no middleware declares.
    expect(output.trim().split('\n')).toEqual([
      expect.stringMatching(
        /^commands\/b\.ts\(3,\d+\): error TS2339: Property 'user' does not exist on type 'Locals'\.$/,
      ),
    ]);
  });

  it('names the reason for a key of an answer that the platform does not have', async () => {
    const project = await createTestProject({
      'tsconfig.json': BOT_TSCONFIG,
      'commands/a.ts': `
        import { defineCommand } from 'virgule';
        export default defineCommand({
          description: 'A',
          async run({ reply }) { await reply({ content: 'psst', ephemeral: true }); },
        });`,
    });
    onTestFinished(() => project[Symbol.asyncDispose]());
    const { output } = await typeCheck(project.root);
    expect(output).toMatch(/: Type 'boolean' is not assignable to type 'NotOnThisPlatform'\./);
  });
});
