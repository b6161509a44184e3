import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from './run-cli.js';
import { createTestProject } from './test-project.js';
import { BOT_TSCONFIG, typeCheck } from './type-check.js';

const registered = fileURLToPath(new URL('samples/registered', import.meta.url));

/** These see the types of what is built, as users do. */
describe('the types of a bot', () => {
  it('types services, env and locals in both forms of a command, in events, handlers and tests', async () => {
    expect(await typeCheck(registered)).toEqual({ code: 0, output: '' });
  });

  it('are declared by a command, also of texts, services and tasks that need each other', async () => {
    const { code, err, root } = await runCli(
      {
        'tsconfig.json': JSON.stringify({
          ...JSON.parse(BOT_TSCONFIG),
          include: ['**/*.ts', '.virgule/types.d.ts'],
        }),
        'virgule.config.ts': `
          import { defineConfig } from 'virgule';
          import * as z from 'zod';
          export const env = z.object({ MAX: z.coerce.number().default(3) });
          export default defineConfig({ env, texts: { silent: ({ services }) => services.done } });`,
        'services.ts': `
          import { defineServices } from 'virgule';
          export default defineServices(async ({ env, tasks }) => ({
            done: 'Done.',
            max: env.MAX,
            remind: (text: string) => tasks.remind.in('1h', { text }),
          }));`,
        'tasks/remind.ts': `
          import { defineTask } from 'virgule';
          import * as z from 'zod';
          export default defineTask({
            payload: z.object({ text: z.string() }),
            async run({ payload, services }) { await services.remind(payload.text); },
          });`,
        'tasks/clean-up.ts': `
          import { defineTask } from 'virgule';
          export default defineTask({ run: ({ env }) => env.MAX.toFixed() });`,
        'commands/a.ts': `
          import { defineCommand } from 'virgule';
          export default defineCommand({
            description: 'A',
            async run({ env, services, tasks }) {
              await tasks['clean-up'].in('1s');
              await tasks.remind.in('1s', { text: services.done });
              // @ts-expect-error -- text is a string
              await tasks.remind.in('1s', { text: env.MAX });
              // @ts-expect-error -- there is no such task
              await tasks.other.in('1s');
              return services.max.toFixed();
            },
          });`,
      },
      ['check'],
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(await typeCheck(root)).toEqual({ code: 0, output: '' });
  });

  it('declared by hand replace the types of the files', async () => {
    const project = await createTestProject({
      'tsconfig.json': BOT_TSCONFIG,
      'services.ts': 'export default () => ({ a: 1 });',
      'tasks/remind.ts': 'export default { run() {} };',
      'tasks/digest.ts': 'export default { run() {} };',
      'types.d.ts': `
        import type * as z from 'zod';
        declare module 'virgule' {
          interface Register { files: {
            services: typeof import('./services.js');
            tasks: {
              remind: typeof import('./tasks/remind.js'); digest: typeof import('./tasks/digest.js');
            };
          } }
          interface Register { services: { b: string } }
          interface Tasks { remind: { payload: z.ZodNumber; run(): void } }
        }`,
      'commands/a.ts': `
        import { defineCommand } from 'virgule';
        export default defineCommand({
          description: 'A',
          async run({ services, tasks }) {
            await tasks.digest.in('1s');
            await tasks.remind.in('1s', 3);
            return services.b;
          },
        });`,
    });
    onTestFinished(() => project[Symbol.asyncDispose]());
    expect(await typeCheck(project.root)).toEqual({ code: 0, output: '' });
  });

  it('is named where something is read that no file registers', async () => {
    const project = await createTestProject({
      'tsconfig.json': BOT_TSCONFIG,
      'services.ts': `
        import { defineServices } from 'virgule';
        export default defineServices(async ({ log }) => ({ db: { log } }));`,
      'commands/a.ts': `
        import { defineCommand } from 'virgule';
        export default defineCommand({ description: 'A', run: ({ services }) => String(services.db) });`,
      'commands/b.ts': `
        import { defineCommand } from 'virgule';
        export default defineCommand({ description: 'B', run: ({ locals }) => String(locals.user) });`,
      'commands/admin/_middleware.ts': `
        import { defineMiddleware } from 'virgule';
        export default defineMiddleware(({ env, channelId }, next) =>
          channelId === env.ADMIN_CHANNEL ? next() : 'Admins only.');`,
    });
    onTestFinished(() => project[Symbol.asyncDispose]());
    const { code, output } = await typeCheck(project.root);
    expect(code).not.toBe(0);
    const complaints = [
      ...output.matchAll(/^(\S+)\(.*error TS2339: Property '(\w+)' .* type '(\w+)'\.$/gm),
    ];
    expect(complaints.map((complaint) => complaint.slice(1))).toEqual([
      ['commands/a.ts', 'db', 'UnregisteredServices'],
      ['commands/admin/_middleware.ts', 'ADMIN_CHANNEL', 'UnregisteredEnv'],
      ['commands/b.ts', 'user', 'Locals'],
    ]);
    expect(output.trim().split('\n')).toHaveLength(3);
  });

  it('names the reason for what the platform does not have: a key of an answer, the name of a channel', async () => {
    const project = await createTestProject({
      'tsconfig.json': BOT_TSCONFIG,
      'commands/a.ts': `
        import { defineCommand } from 'virgule';
        export default defineCommand({
          description: 'A',
          async run({ reply }) { await reply({ content: 'psst', ephemeral: true }); },
        });`,
      'commands/staff/_middleware.ts': `
        import { defineMiddleware } from 'virgule';
        export default defineMiddleware((ctx, next) =>
          ctx.channel.name === 'staff' ? next() : 'Staff only.');`,
    });
    onTestFinished(() => project[Symbol.asyncDispose]());
    const { output } = await typeCheck(project.root);
    expect(output).toMatch(/: Type 'boolean' is not assignable to type 'NotOnThisPlatform'\./);
    expect(output).toMatch(
      /_middleware\.ts.* TS2367: .*Only ids of channels are known: compare channelId\./,
    );
  });
});
