import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ROLL, SEEN } from '../platform/sample-data.js';
import type { BotProgram } from './open-pair.js';

/** The folder of a bot with 100 commands, built by `virgule build`, and the same commands for the bot by hand. */
export interface BenchProject {
  /** The bot by hand. */
  floor(env?: Readonly<Record<string, string>>): Promise<BotProgram>;
  /** The built bot, with a log line for each command, as shipped. */
  built(env?: Readonly<Record<string, string>>): Promise<BotProgram>;
  remove(): Promise<void>;
}

/** Environment of a built bot that writes no log. */
export const NO_LOG = { LOG_LEVEL: 'silent' };

const COMMANDS = 100;
const THIS_CHECKOUT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Additions to the project of a scenario. */
export interface BenchProjectParts {
  /** Folder of the repository whose packages build the project. @defaultValue this one */
  readonly checkout?: string | undefined;
  /** More files, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** More packages: folders of the repository, by name. */
  readonly packages?: Readonly<Record<string, string>>;
}

/** Returns a project that is written and built before its first use. */
export function createBenchProject(parts: BenchProjectParts = {}): BenchProject {
  let written: Promise<string> | undefined;
  const root = (): Promise<string> => (written ??= write(parts));
  return {
    floor: async (env) => ({
      program: 'floor-bot',
      env: { BENCH_COMMANDS: join(await root(), 'floor'), ...env },
    }),
    built: async (env = {}) => ({ program: join(await root(), 'dist/bot.mjs'), env }),
    async remove() {
      if (written) await rm(await written, { recursive: true, force: true });
    },
  };
}

async function write(parts: BenchProjectParts): Promise<string> {
  const { checkout = THIS_CHECKOUT, files, packages } = parts;
  const root = await realpath(await mkdtemp(join(tmpdir(), 'virgule-bench-project-')));
  try {
    await mkdir(join(root, 'node_modules'));
    for (const [name, folder] of Object.entries({
      virgule: 'packages/virgule',
      zod: 'packages/bench/node_modules/zod',
      ...packages,
    }))
      await symlink(await realpath(join(checkout, folder)), join(root, 'node_modules', name));
    for (const [file, text] of Object.entries({ ...projectFiles(), ...files })) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), text);
    }
    const cli = join(checkout, 'packages/virgule/bin/virgule.mjs');
    await promisify(execFile)(process.execPath, [cli, 'build'], { cwd: root });
    return root;
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

function projectFiles(): Record<string, string> {
  const files: Record<string, string> = {
    'package.json': '{ "name": "bench-project", "type": "module" }',
    'lib/messages.ts': MESSAGES,
    'events/message-create.ts': MESSAGE_CREATE,
    [`commands/${SEEN}.ts`]: SEEN_COMMAND,
  };
  const names = Array.from({ length: COMMANDS - 2 }, (_value, index) => `${ROLL}-${index}`);
  for (const name of [ROLL, ...names]) {
    files[`commands/${name}.ts`] = rollCommand(name);
    files[`floor/${name}.js`] =
      'export const run = (sides, count) => `${sides * count} of ${sides}`;\n';
  }
  return files;
}

const rollCommand = (name: string): string => `import { defineCommand } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Rolls dice for ${name}',
  options: z.object({ sides: z.int(), count: z.int() }),
  run: ({ options: { sides, count } }) => \`\${sides * count} of \${sides}\`,
});
`;

const MESSAGES = `let received = 0;
const waiting = new Map<number, () => void>();

export function receive(): void {
  received += 1;
  if (waiting.size > 0) waiting.get(received)?.();
}

/** Resolves when this many messages have been received. */
export const whenReceived = (count: number): Promise<void> =>
  new Promise((resolve) => {
    if (received >= count) resolve();
    else waiting.set(count, resolve);
  });
`;

const MESSAGE_CREATE = `import { defineEvent } from 'virgule';
import { receive } from '../lib/messages.js';

export default defineEvent('MESSAGE_CREATE', ({ data }) => {
  if (data.id !== '') receive();
});
`;

const SEEN_COMMAND = `import { defineCommand } from 'virgule';
import * as z from 'zod';
import { whenReceived } from '../lib/messages.js';

export default defineCommand({
  description: 'Waits for messages',
  options: z.object({ count: z.int() }),
  run: async ({ options: { count } }) => {
    await whenReceived(count);
    return String(count);
  },
});
`;
