import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Two bots on disk with the same commands, to start as services. */
export interface StartProjects {
  readonly folder: string;
  /** Output of `virgule build`. */
  readonly built: string;
  /** Bot written by hand: ws, undici, and a file for each command. */
  readonly floor: string;
  readonly close: () => Promise<void>;
}

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);

export async function createStartProjects(commands: number): Promise<StartProjects> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'virgule-bench-start-')));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await mkdir(join(folder, 'node_modules'));
    for (const name of ['virgule', 'zod', 'ws', 'undici']) {
      const installed = await realpath(join(packageRoot, 'node_modules', name));
      await symlink(installed, join(folder, 'node_modules', name));
    }
    const files = {
      'package.json': '{ "name": "bench-start", "type": "module" }',
      'floor.js': FLOOR,
      ...commandFiles(commands),
    };
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    const cli = join(dirname(require.resolve('virgule/package.json')), 'bin', 'virgule.mjs');
    await promisify(execFile)(process.execPath, [cli, 'build'], { cwd: folder });
  } catch (error) {
    await close();
    throw error;
  }
  return { folder, built: join(folder, 'dist/bot.mjs'), floor: join(folder, 'floor.js'), close };
}

function commandFiles(count: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let index = 0; index < count; index += 1) {
    files[`commands/roll-${index}.ts`] = `import { defineCommand } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Roll some dice, number ${index}',
  options: z.object({ sides: z.int(), count: z.int() }),
  run: ({ options: { sides, count } }) => \`\${sides * count} of \${sides}\`,
});
`;
    files[`floor-commands/roll-${index}.js`] = `export const name = 'roll-${index}';
export const run = (sides, count) => \`\${sides * count} of \${sides}\`;
`;
  }
  return files;
}

const FLOOR = `import { readdirSync } from 'node:fs';
import { Pool } from 'undici';
import { WebSocket } from 'ws';

const { BOT_TOKEN: token, BOT_BASE_URL, BOT_GATEWAY_URL } = process.env;
const pool = new Pool(BOT_BASE_URL, { connections: 64 });
const headers = { authorization: \`Bot \${token}\`, 'content-type': 'application/json' };
const folder = new URL('floor-commands/', import.meta.url);
const modules = await Promise.all(readdirSync(folder).map((file) => import(new URL(file, folder))));
const commands = new Map(modules.map(({ name, run }) => [name, run]));

async function respond(id, content) {
  const path = \`/api/bot/v1/interactions/\${id}/response\`;
  const body = JSON.stringify({ content });
  const answer = await pool.request({ path, method: 'POST', headers, body });
  return JSON.parse(await answer.body.text());
}

const socket = new WebSocket(\`\${BOT_GATEWAY_URL}/gateway/bot\`, { perMessageDeflate: false });
socket.on('message', (data) => {
  const { op, t, d } = JSON.parse(data.toString());
  if (op === 'HELLO') {
    setInterval(() => socket.send(JSON.stringify({ op: 'HEARTBEAT' })), d.heartbeatInterval);
    socket.send(JSON.stringify({ op: 'IDENTIFY', d: { token } }));
  } else if (t === 'APPLICATION_COMMAND') {
    const [, sides, count] = d.rawInput.split(' ');
    void respond(d.interactionId, commands.get(d.name)(Number(sides), Number(count)));
  }
});
`;
