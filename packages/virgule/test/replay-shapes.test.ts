// A record whose text is replaced still provokes the bug.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '@virgule/core/errors';
import type { FailedRecord } from '@virgule/runtime/bot';
import { expect, it } from 'vitest';
import { createTestBot } from '../src/testing.js';
import { createTestProject } from './test-project.js';

interface Bug {
  /** Files of the bot; `FIXED` is true after the fix. */
  readonly files: Readonly<Record<string, string>>;
  readonly lines: readonly string[];
}

const SETTINGS = `
  import * as z from 'zod';
  const schema = z.object({ limit: z.number().default(0) });
  export const settingsOf = (storage, id) => storage.namespace('preferences').entry(id, schema);
  export const view = (storage) => storage.namespace('preferences').view(schema);`;
const LIMIT = `
  import { settingsOf } from '../lib/settings.js';
  export default {
    description: 'Limit', messages: true,
    async run({ storage, serverId }) {
      const settings = settingsOf(storage, serverId);
      if (!FIXED && (await settings.get()).limit > 0) throw new Error('a bug');
      await settings.patch({ limit: 3 });
      return 'ok';
    },
  };`;

const BUGS: Readonly<Record<string, Bug>> = {
  'an entry of a server': {
    files: {
      'commands/points.ts': `
        export default {
          description: 'Points', messages: true,
          async run({ storage, serverId }) {
            const own = storage.forServer(serverId);
            if (!FIXED && (await own.get('points'))) throw new Error('a bug');
            await own.set('points', 1);
            return 'ok';
          },
        };`,
    },
    lines: ['!points', '!points'],
  },
  'a handler that needs an author': {
    files: {
      'commands/points.ts': `
        import { requireAuthor } from 'virgule';
        export default {
          description: 'Points', messages: true,
          run: requireAuthor(async ({ storage, author }) => {
            if (!FIXED && (await storage.get('points:' + author.id))) throw new Error('a bug');
            await storage.set('points:' + author.id, 1);
            return 'ok';
          }),
        };`,
    },
    lines: ['!points', '!points'],
  },
  'guards that compare ids with variables': {
    files: {
      'virgule.config.ts': `
        import * as z from 'zod';
        const users = z.string().transform((ids) => new Set(ids.split(',')));
        const places = z.string().optional().transform((id) => id && { admin: id, limit: 3 });
        const env = z.object({ ADMIN_CHANNEL: z.uuid(), KEEPERS: users, BOTH: z.string(), PLACES: places });
        export default { failed: {}, messages: { prefix: '!' }, env };`,
      '.env.test': `ADMIN_CHANNEL=${crypto.randomUUID()}\nKEEPERS=${crypto.randomUUID()}\nBOTH=x`,
      'lib/guard.ts': `
        export const passes = (channelId, { ADMIN_CHANNEL, BOTH, PLACES }) =>
          [ADMIN_CHANNEL, BOTH.split(', ')[1]?.toLowerCase(), PLACES?.admin].every((id) => id === channelId);`,
      'commands/_middleware.ts': `
        import { defineMiddleware } from 'virgule';
        import { passes } from '../lib/guard.js';
        export default defineMiddleware(({ channelId, author, env }, next) =>
          passes(channelId, env) && env.KEEPERS.has(author.id) ? next() : 'no');`,
      'commands/reset.ts': `
        export default {
          description: 'Reset', messages: true,
          run() {
            if (!FIXED) throw new Error('a bug');
            return 'ok';
          },
        };`,
    },
    lines: ['!reset'],
  },
  'a word that only the middleware of a command has': {
    files: {
      'commands/_middleware.ts': `
        import { defineMiddleware } from 'virgule';
        export default defineMiddleware(({ options, commandName }, next) =>
          commandName === 'dump' || options.what === 'grapes' ? next() : 'no');`,
      'commands/buy.ts': `
        import * as z from 'zod';
        export default {
          description: 'Buy', messages: true, options: z.object({ what: z.string() }),
          run() {
            if (!FIXED) throw new Error('a bug');
            return 'ok';
          },
        };`,
    },
    lines: ['!buy grapes'],
  },
  'a handler behind a middleware': {
    files: {
      'events/_middleware.ts': 'export default (_, next) => next();',
      'events/message-create.ts': `
        export default ({ data }) => {
          if (!FIXED && data.content.includes('grapes')) throw new Error('a bug');
        };`,
    },
    lines: ['apples and grapes'],
  },
  'an entry whose key is in an imported file': {
    files: { 'lib/settings.ts': SETTINGS, 'commands/limit.ts': LIMIT },
    lines: ['!limit', '!limit'],
  },
  'an entry that services view': {
    files: {
      'lib/settings.ts': SETTINGS,
      'services.ts': `
        import { view } from './lib/settings.js';
        export default async ({ storage }) => ({ settings: await view(storage) });`,
      'commands/limit.ts': LIMIT,
    },
    lines: ['!limit', '!limit'],
  },
  'keys of a list that are read again': {
    files: {
      'lib/names.ts': `export const KEY = 'errands:';`,
      'commands/notes.ts': `
        import { KEY } from '../lib/names.js';
        export default {
          description: 'Notes', messages: true,
          async run({ storage }) {
            const [note] = await storage.list(KEY);
            if (!FIXED && note && (await storage.get(note.key))) throw new Error('a bug');
            await storage.set(KEY + 'milk', 1);
            return 'ok';
          },
        };`,
    },
    lines: ['!notes', '!notes'],
  },
};

const DUMP = `
  export default {
    description: 'Dump', messages: true,
    run: async ({ storage, services }) => {
      services.dump(await storage.list('virgule:failed:'));
      return 'ok';
    },
  };`;

const projectOf = ({ files }: Bug, isFixed: boolean) =>
  createTestProject({
    'virgule.config.ts': `export default { failed: {}, messages: { prefix: '!' } };`,
    'commands/dump.ts': DUMP,
    ...Object.fromEntries(
      Object.entries(files).map(([file, code]) => [
        file,
        code.replaceAll('FIXED', String(isFixed)),
      ]),
    ),
  });

async function recordOf(root: string, lines: readonly string[]): Promise<FailedRecord | undefined> {
  let found: readonly { readonly value: FailedRecord }[] = [];
  const services = { dump: (list: typeof found) => void (found = list) };
  await using first = await createTestBot({ root, services });
  const { platform } = first;
  // Ids are the same in every run.
  const channelId = platform.channel().id;
  const env = {
    ADMIN_CHANNEL: channelId,
    KEEPERS: platform.user('ada').id,
    BOTH: `${crypto.randomUUID()}, ${channelId.toUpperCase()}`,
    PLACES: channelId,
  };
  await using bot = await createTestBot({ root, strict: false, services, env });
  for (const line of lines) await bot.say(line);
  await bot.idle();
  await bot.say('!dump');
  return found[0]?.value;
}

it.each(Object.entries(BUGS))('provokes a bug with %s again', async (_, bug) => {
  await using broken = await projectOf(bug, false);
  await using fixed = await projectOf(bug, true);
  const record = await recordOf(broken.root, bug.lines);
  const failed = join(broken.root, 'record.json');
  await writeFile(failed, JSON.stringify(record));
  const outcomes = [];
  for (const { root } of [broken, fixed]) {
    await using bot = await createTestBot({ root, failed });
    const { error, result } = await bot.replay();
    outcomes.push(error === undefined ? result : errorText(error));
  }
  expect(outcomes).toEqual([expect.stringContaining('a bug'), 'ok']);
});
