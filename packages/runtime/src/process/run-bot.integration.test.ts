import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

// A process of its own runs what is built; there is nothing to run before the first build.
const entry = new URL('../../dist/process.js', import.meta.url);
const isBuilt = existsSync(entry);

const CONNECTION = {
  BOT_TOKEN: 'bot-token-made-up-7f3a',
  BOT_BASE_URL: 'http://127.0.0.1:9',
  BOT_GATEWAY_URL: 'ws://127.0.0.1:9',
};

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script with what the entries export; `onOutput` may steer it. */
function run(
  script: string,
  env: Readonly<Record<string, string>> = {},
  onOutput: (kill: (signal: NodeJS.Signals) => void, stdout: string) => void = () => {},
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-process-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'bot.mjs');
  const names =
    'allocateYoung, closeOnSignal, createLog, guardOutput, optimizeLate, optimizeWasmLate, runBot, surviveRejections';
  const head = `import { ${names} } from ${JSON.stringify(entry.href)};\n`;
  writeFileSync(file, head + script);
  const child = spawn(process.execPath, [file], { cwd: folder, env: { ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    onOutput((signal) => void child.kill(signal), stdout);
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Starts a platform that answers each request with who the bot is, and returns its address. */
async function startMe(): Promise<string> {
  const id = '5e9b3c17-a264-4d80-b91e-07f3c8d5624a';
  const me = { applicationId: id, botUserId: id, username: 'dice', displayName: 'Dice' };
  const server = createServer((_, response) => void response.end(JSON.stringify(me)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const EMPTY = `{ manifest: { commands: [], events: [], tasks: [], services: null, config: null }, modules: {} }`;
const manifestOf = (name: string): string =>
  `{ commands: [{ name: '${name}', file: 'commands/${name}.ts', middleware: [], errorHandlers: [] }], events: [], tasks: [], services: null, config: null }`;

describe.skipIf(!isBuilt)('runBot', () => {
  it('ends with 78 and says what is missing, without a stack', async () => {
    const { code, stdout, stderr } = await run(`await runBot(${EMPTY});`);
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr).toMatch(/^Error \[E_TOKEN_MISSING\] There is no bot token/);
    expect(stderr).not.toContain('    at ');
  });

  it('ends with 78 when the log level is invalid', async () => {
    const { code, stderr } = await run(`await runBot(${EMPTY});`, {
      ...CONNECTION,
      LOG_LEVEL: 'loud',
    });
    expect([code, stderr]).toEqual([78, expect.stringContaining('[E_ENV_INVALID]')]);
  });

  it('ends with 78 when the address of the gateway is invalid', async () => {
    const baseUrl = await startMe();
    const { code, stderr } = await run(`await runBot(${EMPTY});`, {
      ...CONNECTION,
      BOT_BASE_URL: baseUrl,
      BOT_GATEWAY_URL: 'chat.example',
    });
    expect([code, stderr]).toEqual([78, expect.stringContaining('[E_BAD_ADDRESS]')]);
  });

  it.each([
    ['logs warnings of packages like everything else, without secrets', {}, [1, 0]],
    ['prints nothing under --no-warnings', { NODE_OPTIONS: '--no-warnings' }, [0, 0]],
  ])('%s', async (_, env: Record<string, string>, counts) => {
    const script = `
setTimeout(() => process.emitWarning('${CONNECTION.BOT_TOKEN} is old', 'DeprecationWarning'), 500);
setTimeout(() => process.exit(), 1_000);
await runBot(${EMPTY});`;
    const { stdout, stderr } = await run(script, { ...CONNECTION, ...env });
    const count = (text: string) =>
      text.split('\n').filter((line) => line.includes('is old')).length;
    expect([count(stdout), count(stderr)]).toEqual(counts);
    expect(stdout).not.toContain(CONNECTION.BOT_TOKEN);
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toBeTypeOf('object');
  });

  it('ends with 78 when a file of the project is invalid', async () => {
    const { code, stderr } = await run(
      `await runBot({ manifest: ${manifestOf('x')}, modules: { 'commands/x.ts': {} } });`,
      CONNECTION,
    );
    expect(code).toBe(78);
    expect(stderr).toContain('[E_NO_HANDLER] commands/x.ts has no handler');
  });

  it('ends with 78 when its storage has no driver here, and says what to install', async () => {
    const { code, stdout, stderr } = await run(
      `import { runtimeErrors } from ${JSON.stringify(new URL('../../dist/errors.js', import.meta.url).href)};
const check = async () => { throw runtimeErrors.E_STORAGE_DRIVER({ node: '20.19.0' }); };
const storage = { name: 'a file', open: async () => {}, check };
await runBot({
  manifest: { commands: [], events: [], tasks: [], services: null, config: 'virgule.config.js' },
  modules: { 'virgule.config.js': { default: { storage } } },
});`,
      CONNECTION,
    );
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr).toContain('[E_STORAGE_DRIVER]');
    expect(stderr).toContain('npm install libsql');
  });

  it('ends with 78 and asks for a report when the build lacks a file', async () => {
    const { code, stderr } = await run(
      `await runBot({ manifest: ${manifestOf('x')}, modules: {} });`,
      CONNECTION,
    );
    expect(code).toBe(78);
    expect(stderr).toContain('[E_BUILD_INCOMPLETE] The built bot has no module for commands/x.ts.');
    expect(stderr).toContain('Please report it');
  });

  it('ends with 78 when the token is refused, and prints no token', async () => {
    const server = createServer((_, response) => void response.writeHead(401).end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    // A listening TCP server has an address with a port.
    const { port } = server.address() as AddressInfo;
    const { code, stdout, stderr } = await run(`await runBot(${EMPTY});`, {
      ...CONNECTION,
      BOT_BASE_URL: `http://127.0.0.1:${port}`,
    });
    expect(code).toBe(78);
    expect(stderr).toContain('[E_UNAUTHORIZED]');
    expect(stdout + stderr).not.toContain(CONNECTION.BOT_TOKEN);
  });
});

describe.skipIf(!isBuilt)('the storage', () => {
  it.each([
    ['storage.db', '', '{}'],
    // Nothing of a preview is to reach production.
    [
      'storage.dev.db',
      '--preview',
      `{ scale: { open: () => Promise.reject(new Error('scaled')) } }`,
    ],
  ])('is .virgule/%s in the working directory with the flag %j', async (file, flag, config) => {
    const { stdout } = await run(
      `import { existsSync } from 'node:fs';
       process.argv.push('${flag}');
       await runBot({
         manifest: { ...${EMPTY}.manifest, config: 'virgule.config.ts', services: 'services.ts' },
         modules: {
           'virgule.config.ts': { default: ${config} },
           'services.ts': {
             default: async ({ storage }) => {
               await storage.set('x', 1);
               console.log('stored', existsSync('.virgule/${file}'));
               return {};
             },
           },
         },
         root: '/elsewhere',
       });`,
      { ...CONNECTION, BOT_BASE_URL: await startMe() },
      (kill, output) => output.includes('stored') && kill('SIGKILL'),
    );
    expect(stdout).toContain('stored true');
  });
});

describe.skipIf(!isBuilt)('a scaled bot', () => {
  it.each([
    [78, true],
    [1, false],
  ])(
    'ends with %i if it cannot join the others, and a setting is wrong: %s',
    async (code, isWrong) => {
      const ended = await run(
        `const scale = {
         open: async () => { throw new Error('no login'); },
         isUnusable: ({ message }) => ${isWrong} && message === 'no login',
       };
       await runBot({
         manifest: { ...${EMPTY}.manifest, config: 'virgule.config.ts' },
         modules: { 'virgule.config.ts': { default: { scale } } },
       });`,
        { ...CONNECTION, BOT_BASE_URL: await startMe() },
      );
      expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining('no login')]);
    },
  );
});

describe.skipIf(!isBuilt)('a start that never ends', () => {
  it.each([
    [
      'the server of scale',
      `{ scale: { open() { console.log('up'); return new Promise(() => {}); } } }`,
    ],
    [
      'the check of the environment',
      `{ env: z.object({ PATH: z.string().refine(() => { console.log('up'); return new Promise(() => {}); }) }) }`,
    ],
  ])('ends at once on SIGTERM while it waits for %s', async (_, config) => {
    const ended = await run(
      `import * as z from ${JSON.stringify(import.meta.resolve('zod'))};
       setInterval(() => {}, 1_000);
       await runBot({
         manifest: { ...${EMPTY}.manifest, config: 'virgule.config.ts' },
         modules: { 'virgule.config.ts': { default: ${config} } },
       });`,
      { ...CONNECTION, BOT_BASE_URL: await startMe(), PATH: '/bin', LOG_LEVEL: 'warn' },
      (kill, output) => output === 'up\n' && kill('SIGTERM'),
    );
    expect(ended).toEqual({ code: 0, stdout: 'up\n', stderr: '' });
  });
});

describe.skipIf(!isBuilt)('guardOutput', () => {
  it('reports a top-level await that never ends', async () => {
    const { code, stderr } = await run('guardOutput(); await new Promise(() => {});');
    expect(code).toBe(13);
    expect(stderr).toContain(
      'Error: a file waits at its top level for something that never happens',
    );
  });
});

describe.skipIf(!isBuilt)('a token that is revoked', () => {
  it('ends the process with 78, although its gateway would keep connecting', async () => {
    let asked = 0;
    const id = '5e9b3c17-a264-4d80-b91e-07f3c8d5624a';
    const name = { username: 'dice', displayName: 'Dice' };
    const server = createServer((_, response) => {
      asked += 1;
      // The first call is who the bot is; the second one compares its commands.
      response.writeHead(asked === 1 ? 200 : 401);
      response.end(JSON.stringify({ applicationId: id, botUserId: id, ...name }));
    });
    server.on('upgrade', (_, stream) => {
      stream.on('error', () => {});
      stream.end('HTTP/1.1 503 Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    // A listening TCP server has an address with a port.
    const { port } = server.address() as AddressInfo;
    const { code, stdout, stderr } = await run(`await runBot(${EMPTY});`, {
      ...CONNECTION,
      BOT_BASE_URL: `http://127.0.0.1:${port}`,
      BOT_GATEWAY_URL: `ws://127.0.0.1:${port}`,
    });
    expect(code).toBe(78);
    expect(stdout).toContain('the bot token was refused; no more requests are sent');
    expect(stdout).toContain('E_UNAUTHORIZED');
    expect(asked).toBe(3);
    expect(stdout + stderr).not.toContain(CONNECTION.BOT_TOKEN);
  });
});

/** Starts a program whose output is not read. */
function startUnread(script: string, stdout: 'pipe' | number = 'pipe') {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-process-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'bot.mjs');
  writeFileSync(file, `import { createLog } from ${JSON.stringify(entry.href)};\n${script}`);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', stdout, 'inherit', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe.skipIf(!isBuilt)('createLog', () => {
  const LINES = `const log = createLog({ buffered: true });
    const write = (count) => { for (let n = 0; n < count; n += 1) log.info({ n }, 'x'); };\n`;

  it.each([
    ['ends', 'write(1_000);', 1_000, 0],
    ['ends with few lines', 'write(2);', 2, 0],
    ['exits at once', 'write(1_000); process.exit(3);', 1_000, 3],
    ['throws', `write(1_000); throw new Error('over');`, 1_000, 1],
    ['exits at a full pipe', 'write(20_000); process.exit(3);', 20_000, 3],
  ])(
    'has written every line, in order, when the process %s',
    async (_, script, count, expected) => {
      const { code, stdout } = await run(LINES + script);
      const numbers = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).n);
      expect(code).toBe(expected);
      expect(numbers).toEqual(Array.from({ length: count }, (_value, n) => n));
    },
  );

  it('writes collected lines while the process runs, without their secrets', async () => {
    const { stdout } = await run(
      `const log = createLog({ buffered: true }); log.hide(['made-up-7f3a']);
       log.info({ n: 1 }, 'made-up-7f3a'); log.info({ token: 'made-up' }, 'x'); log.info({ n: 3 }, 'x');
       setInterval(() => {}, 1_000);`,
      {},
      (kill, output) => output.includes('"n":3') && kill('SIGKILL'),
    );
    expect(stdout).not.toContain('made-up');
    expect(stdout.match(/\[redacted\]/g)).toHaveLength(2);
  });

  it('writes details as they were, in order, between lines with other details', async () => {
    const { stdout } = await run(
      `const log = createLog({ buffered: true }); const details = { n: 0 };
       log.info(details, 'x'); details.n = 1; log.info(details, 'x'.repeat(2_000)); details.n = 2;
       log.info({ n: details }, 'x'); log.info({}, 'x'); log.info({ n: NaN, no: undefined }, 'x');`,
    );
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).n)).toEqual([0, 1, { n: 2 }, undefined, null]);
    expect(lines[3]).toMatch(/^\{"level":30,"time":\d+,"msg":"x"\}$/);
    expect(lines[4]).toMatch(/^\{"level":30,"time":\d+,"n":null,"msg":"x"\}$/);
  });

  it('loses no lines with long texts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'virgule-lines-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'lines');
    const child = startUnread(
      `const log = createLog({ buffered: true }); const a = '\\u001b'.repeat(1_000);
       for (let n = 0; n < 500; n += 1) log.info({ n, a, b: a, c: a, d: a, e: a, f: a }, 'x');`,
      openSync(file, 'w'),
    );
    await once(child, 'exit');
    const numbers = readFileSync(file, 'utf8').match(/"n":\d+/g);
    expect(numbers).toEqual(Array.from({ length: 500 }, (_value, n) => `"n":${n}`));
  });

  it('does not block a process when its output is not read', async () => {
    const child = startUnread(`${LINES} write(20_000); process.send('written');`);
    expect(await once(child, 'message')).toContain('written');
  });

  it('lets a process exit when the reader of its output is gone', async () => {
    const child = startUnread(
      `const log = createLog({ buffered: true });
       process.on('message', () => { log.info({}, 'to nobody'); process.exit(7); });
       process.send('up');`,
    );
    await once(child, 'message');
    child.stdout?.destroy();
    await once(child.stdout ?? child, 'close');
    child.send('end');
    expect(await once(child, 'exit')).toEqual([7, null]);
  });

  it('has written each line at once when they are not to wait, also for a process that is killed', async () => {
    const { stdout } = await run(
      `const log = createLog(); for (let n = 0; n < 100; n += 1) log.info({ n }, 'x');
       process.kill(process.pid, 'SIGKILL');`,
    );
    expect(stdout.trim().split('\n').at(-1)).toContain('"n":99');
  });
});

describe.skipIf(!isBuilt)('allocateYoung, optimizeLate and optimizeWasmLate', () => {
  it('set what this version of V8 knows', async () => {
    // V8 warns about a flag that it does not know, and continues.
    expect(await run('allocateYoung(); optimizeLate(); optimizeWasmLate();')).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });
});

describe.skipIf(!isBuilt)('surviveRejections', () => {
  const LOG_REJECTIONS = `surviveRejections((reason) => console.log('told', reason.message));`;

  it('keeps the process running after an unhandled rejection', async () => {
    const { code, stdout, stderr } = await run(
      `${LOG_REJECTIONS} void Promise.reject(new Error('forgotten')); setImmediate(() => console.log('alive'));`,
    );
    expect([code, stdout, stderr]).toEqual([0, 'told forgotten\nalive\n', '']);
  });

  it('lets an uncaught exception end the process', async () => {
    const { code, stdout, stderr } = await run(
      `${LOG_REJECTIONS} setImmediate(() => console.log('alive')); throw new Error('uncaught');`,
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('uncaught');
  });
});

describe.skipIf(!isBuilt)('closeOnSignal', () => {
  const ALIVE = `setInterval(() => {}, 1_000); console.log('up');`;

  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP'])(
    'closes on %s and ends with 0',
    async (signal) => {
      const { code, stdout } = await run(
        `closeOnSignal(async () => console.log('closed')); ${ALIVE}`,
        {},
        (kill, output) => output === 'up\n' && kill(signal),
      );
      expect([code, stdout]).toEqual([0, 'up\nclosed\n']);
    },
  );

  it('ends at once on a second signal', async () => {
    const { code, stdout } = await run(
      `closeOnSignal(() => { console.log('closing'); return new Promise(() => {}); }); ${ALIVE}`,
      {},
      (kill) => kill('SIGTERM'),
    );
    expect([code, stdout]).toEqual([130, 'up\nclosing\n']);
  });

  it('is not hurried by a SIGHUP that follows, as when a terminal closes', async () => {
    let count = 0;
    const { code, stdout } = await run(
      `let hangUps = 0; process.on('SIGHUP', () => (hangUps += 1));
      closeOnSignal(async () => { console.log('closing'); while (hangUps < 2) await new Promise(setImmediate); }); ${ALIVE}`,
      {},
      (kill) => (count += 1) <= 2 && kill('SIGHUP'),
    );
    expect([code, stdout]).toEqual([0, 'up\nclosing\n']);
  });

  it('ends with 1 when closing fails', async () => {
    const { code, stderr } = await run(
      `closeOnSignal(() => Promise.reject(new Error('stuck'))); ${ALIVE}`,
      {},
      (kill) => kill('SIGTERM'),
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('stuck')]);
  });
});
