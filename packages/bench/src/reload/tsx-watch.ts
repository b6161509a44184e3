import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@virgule/simulator';
import { openBenchChat } from './bench-chat.js';
import type { ReloadSubject } from './reload-subject.js';
import { spawnProgram } from './spawned.js';

/** A bot by hand that loads its folder of commands, as used with a watcher that restarts. */
const BOT = `import { readdirSync, readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { WebSocket } from 'ws';

interface Command { readonly description: string; readonly run: () => string }
const { BOT_TOKEN: token = '', BOT_BASE_URL: baseUrl = '', BOT_GATEWAY_URL: gatewayUrl = '' } = process.env;
process.env['BENCH_TEXT'] = readFileSync('.env', 'utf8').trim().split('=')[1];
const commands = new Map<string, Command>();
for (const file of readdirSync('commands'))
  commands.set(file.replace('.ts', ''), (await import('./commands/' + file)).default as Command);

const pool = new Pool(baseUrl);
const headers = { authorization: 'Bot ' + token, 'content-type': 'application/json' };
const call = async (method: 'PUT' | 'POST', path: string, body: object): Promise<void> => {
  const { body: answer, statusCode } = await pool.request({ method, path: '/api/bot/v1' + path, headers, body: JSON.stringify(body) });
  if (statusCode >= 300) console.error(path, statusCode, await answer.text());
  else await answer.dump();
};
await call('PUT', '/commands', { commands: [...commands].map(([name, { description }]) => ({ name, description, options: [] })) });
const socket = new WebSocket(gatewayUrl + '/gateway/bot');
socket.on('message', (data) => {
  const { op, t, d } = JSON.parse(String(data)) as { op: string; t?: string; d: any };
  if (op === 'HELLO') {
    socket.send(JSON.stringify({ op: 'IDENTIFY', d: { token } }));
    setInterval(() => socket.send('{"op":"HEARTBEAT"}'), d.heartbeatInterval);
  }
  if (t === 'READY') console.log('ready');
  if (t === 'APPLICATION_COMMAND')
    void call('POST', '/interactions/' + d.interactionId + '/response', { content: commands.get(d.name)?.run() ?? 'none' });
});
`;

let installed: string | undefined;

/** Installs tsx into a temporary folder, once. */
function installTsx(): string {
  if (installed !== undefined) return installed;
  installed = mkdtempSync(join(tmpdir(), 'virgule-reload-tsx-'));
  writeFileSync(join(installed, 'package.json'), '{ "private": true }');
  const packages = ['tsx@4.23.15', 'ws@8.23.0', 'undici@7.30.2'];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', ...packages], {
    cwd: installed,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return installed;
}

/** `tsx watch` with a bot by hand: the process and its connection restart at every save. */
export const tsxWatch: ReloadSubject = {
  name: 'tsx watch, ws + undici by hand',
  async start(project) {
    const folder = installTsx();
    for (const name of ['ws', 'undici']) {
      const link = join(project.root, 'node_modules', name);
      if (!existsSync(link)) symlinkSync(join(folder, 'node_modules', name), link);
    }
    project.write('bot.ts', BOT);
    const simulator = await startSimulator();
    const { token, baseUrl, gatewayUrl } = simulator;
    const tsx = join(folder, 'node_modules/tsx/dist/cli.mjs');
    const program = spawnProgram([tsx, 'watch', '--clear-screen=false', 'bot.ts'], {
      cwd: project.root,
      env: { BOT_TOKEN: token, BOT_BASE_URL: baseUrl, BOT_GATEWAY_URL: gatewayUrl },
    });
    await program.line((line) => line === 'ready');
    const chat = await openBenchChat(simulator);
    let restarts = 0;
    return {
      pid: program.pid,
      chat,
      changed: () => program.line((line) => line === 'ready'),
      // It does not watch .env, so the file of the bot is saved.
      triggerRestart: () => project.write('bot.ts', `${BOT}// ${(restarts += 1)}\n`),
      async close() {
        await chat.close();
        await program.stop();
        await simulator.close();
      },
    };
  },
};
