import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from './test-project.js';
import { BOT_TSCONFIG, typeCheck } from './type-check.js';

const types = fileURLToPath(new URL('../../../node_modules/@types', import.meta.url));

/** Sees the types of what is built, as users do. */
describe('a bot with declaration: true', () => {
  it('compiles with every kind of option, in a monorepo with project references', async () => {
    const { compilerOptions } = JSON.parse(BOT_TSCONFIG) as { readonly compilerOptions: object };
    const project = await createTestProject({
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          ...compilerOptions,
          noEmit: false,
          composite: true,
          outDir: 'out',
          rootDir: '.',
          typeRoots: [types],
        },
        include: ['commands', 'events', 'services.ts', 'virgule.config.ts'],
      }),
      'commands/all.ts': `
        import { defineCommand, option } from 'virgule';
        import * as z from 'zod';
        export const options = z.object({
          user: option.user(),
          channel: option.channel(),
          role: option.role(),
          mentionable: option.mentionable(),
          message: option.message(),
          attachment: option.attachment(),
          duration: option.duration({ min: '1s' }).default('1h'),
          rest: option.rest(),
        });
        export default defineCommand({ description: 'All', options, run: ({ options }) => options.user.id });`,
      'events/message-create.ts': `
        import { defineEvent } from 'virgule';
        export default defineEvent('MESSAGE_CREATE', async ({ here }) => { await here?.send('x'); });`,
      'services.ts': `
        import { defineServices } from 'virgule';
        export default defineServices(async () => ({ db: 1 }));`,
      'virgule.config.ts': `
        import { defineConfig } from 'virgule';
        import * as z from 'zod';
        export default defineConfig({ env: z.object({ A: z.string() }), targets: { staging: {} } });`,
    });
    onTestFinished(() => project[Symbol.asyncDispose]());
    expect(await typeCheck(project.root)).toEqual({ code: 0, output: '' });
  });
});
