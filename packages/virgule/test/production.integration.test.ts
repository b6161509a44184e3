import { readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { answering, openGate } from '../../simulator/test/shared/gated-simulator.js';
import { run } from '../src/commands/command-line.js';
import { buildApart, envOf, soon, startBuilt } from './built-bot.js';
import { createTestIo } from './test-io.js';
import { until } from './until.js';

const FILES = {
  'commands/hello.ts': `
    import { defineCommand, option } from 'virgule';
    import * as z from 'zod';
    export default defineCommand({
      description: 'A text',
      options: z.object({ after: option.duration().optional().describe('How long to wait') }),
      run: () => 'Hello from the bundle',
    });`,
};

/** Lets the time of a process pass 30 times as fast: the deadline of its first call is 30 s. */
const FAST_TIME = `data:text/javascript,${encodeURIComponent(`
  const now = performance.now.bind(performance);
  performance.now = () => now() * 30;
  const wait = setTimeout;
  globalThis.setTimeout = (run, ms, ...given) => wait(run, ms / 30, ...given);`)}`;

describe('a built bot', () => {
  let platform: Simulator;
  beforeEach(async () => {
    platform = await startSimulator();
  });
  afterEach(() => platform.close());

  /** Installs a package of the runtime in a project. */
  const install = (root: string, name: string) =>
    symlink(
      fileURLToPath(new URL(`../../runtime/node_modules/${name}`, import.meta.url)),
      join(root, 'node_modules', name),
    );

  /** `FILES` with metrics, built once for all who only run it. */
  let hello: string;
  beforeAll(async () => {
    const { folder, remove } = await buildApart(FILES, (root) => install(root, 'prom-client'));
    hello = folder;
    return remove;
  });

  /** The same, with commands that need an asset, a variable, and OpenTelemetry. */
  let more: string;
  beforeAll(async () => {
    const { folder, remove } = await buildApart(
      {
        ...FILES,
        'commands/dice.ts': `
          import { defineCommand } from 'virgule';
          export default defineCommand({
            description: 'Dice',
            async run({ rest, channelId }) {
              await rest.messages.send(channelId, { content: 'A die', files: ['assets/dice/six.txt'] });
              return 'sent';
            },
          });`,
        'assets/dice/six.txt': 'six',
        'commands/odd.ts': `
          if (process.env.BREAK) throw new Error('no luck');
          export default { description: 'Odd', run: () => 'odd' };`,
        'commands/hot.ts': `
          export default { description: 'Hot', run: () => String(import.meta.hot) };`,
        'commands/boom.ts': `
          interface Unused {
            readonly line: number;
          }
          export default {
            description: 'Boom',
            run: (): string => {
              throw new RangeError('no luck');
            },
          };`,
        'lib/tracing.ts': `
          import { trace } from '@opentelemetry/api';
          import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
          const exporter = {
            export(spans, done) {
              for (const span of spans) console.log('SPAN', span.name, span.attributes['virgule.outcome']);
              done({ code: 0 });
            },
            shutdown: async () => {},
          };
          trace.setGlobalTracerProvider(
            new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
          );`,
        'commands/traced.ts': `
          import '../lib/tracing.js';
          export default { description: 'Traced', run: () => 'traced' };`,
      },
      (root) => install(root, '@opentelemetry'),
    );
    more = folder;
    return remove;
  });

  const connected = () => soon(() => expect(platform.snapshot().bot.connected).toBe(true));
  const register = (...names: string[]) =>
    fetch(`${platform.baseUrl}/api/bot/v1/commands`, {
      method: 'PUT',
      headers: { authorization: `Bot ${platform.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        commands: names.map((name) => ({ name, description: 'Old', options: [] })),
      }),
    });
  const registered = (): string[] => platform.snapshot().commands.map(({ name }) => name);

  it('answers with plain node in a folder that holds only dist/, with its assets', async () => {
    const bot = startBuilt(more, envOf(platform), ['--sync']);
    await connected();
    platform.run({ rawInput: '/hello' });
    platform.run({ rawInput: '/dice' });
    await soon(() => {
      const messages = platform.messages();
      expect(messages.map(({ content }) => content)).toContain('Hello from the bundle');
      expect(messages.find(({ content }) => content === 'A die')?.attachments).toMatchObject([
        { fileName: 'six.txt', size: 3 },
      ]);
    });
    bot.child.kill('SIGTERM');
    expect(await bot.ended).toBe(0);
  });

  it('logs a failed command with the lines of its source, and has nothing of hot reload', async () => {
    const bot = startBuilt(more, envOf(platform), ['--sync']);
    await connected();
    platform.run({ rawInput: '/hot' });
    platform.run({ rawInput: '/boom' });
    const [line] = await bot.said(/^.*"\/boom failed: no luck".*$/m);
    const { err } = JSON.parse(line) as { readonly err: { readonly stack: string } };
    expect(err.stack).toMatch(/^RangeError: no luck\n {4}at [^\n]*commands\/boom\.ts:8:\d+\)\n/);
    await soon(() =>
      expect(platform.messages().map(({ content }) => content)).toContain('undefined'),
    );
  });

  it('loads no watcher, no bundler, no reader of arguments, and nothing that is not built in', async () => {
    await writeFile(
      join(hello, 'list.mjs'),
      `import { register } from 'node:module';
       register('data:text/javascript,' + encodeURIComponent(\`
         import { writeSync } from 'node:fs';
         export async function resolve(specifier, context, next) {
           const found = await next(specifier, context);
           writeSync(2, 'LOADED ' + found.url + '\\\\n');
           return found;
         }\`));`,
    );
    const bot = startBuilt(hello, envOf(platform), [], ['--import', './list.mjs']);
    await connected();
    bot.child.kill('SIGTERM');
    expect(await bot.ended).toBe(0);
    const loaded = [...bot.output().matchAll(/LOADED (\S+)/g)].map(([, url]) => url ?? '');
    expect(loaded.some((url) => url.endsWith('/dist/bot.mjs'))).toBe(true);
    expect(
      loaded.filter((url) => !url.startsWith('node:') && !url.endsWith('/dist/bot.mjs')),
    ).toEqual([]);
    // The sources inside the one file.
    const { sources } = JSON.parse(await readFile(join(hello, 'dist/bot.mjs.map'), 'utf8')) as {
      sources: string[];
    };
    const packages = new Set(sources.map((path) => /.*node_modules\/([^/]+)/.exec(path)?.[1]));
    expect(packages).toContain('undici');
    for (const name of ['chokidar', 'esbuild', 'yargs-parser', 'es-module-lexer', 'get-tsconfig'])
      expect(packages).not.toContain(name);
    expect(
      sources.filter((path) =>
        /packages\/(virgule\/(src|dist)\/(cli|loader|dev)|simulator)\//.test(path),
      ),
    ).toEqual([]);
    // One of zod's fifty languages: the others take 8 MB of memory in every bot.
    const languages = sources.flatMap((path) => /zod\/v4\/locales\/(.*)/.exec(path)?.[1] ?? []);
    expect(languages).toEqual(['en.js']);
    // Paths lead from dist/ to the sources.
    expect(sources).toContain('../commands/hello.ts');
  });

  it('ends with 1 when the code of a file throws, and names its line', async () => {
    const env = { ...envOf(platform), BREAK: '1' };
    const bot = startBuilt(more, env);
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toContain('no luck');
    expect(bot.output()).toMatch(/commands\/odd\.ts:2:\d+/);
  });

  it('ends well on SIGTERM while it cannot connect', async () => {
    // Takes the connection and says nothing.
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    // A listening server has an address with a port.
    const gatewayUrl = `ws://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const bot = startBuilt(hello, { ...envOf(platform), BOT_GATEWAY_URL: gatewayUrl });
    await soon(() => expect(sockets).toHaveLength(1));
    bot.child.kill('SIGTERM');
    expect(await bot.ended).toBe(0);
    expect(bot.output()).not.toContain('Error');
  });

  it('ends with 78 when it may not come back: its token was revoked while it ran', async () => {
    const { token, botUserId } = platform.addBot({ username: 'short-lived' });
    // An open port must not keep it alive.
    const bot = startBuilt(hello, { ...envOf(platform), BOT_TOKEN: token }, ['--health=0']);
    await bot.said(/is ready/);
    await platform.act('bot', { id: botUserId, remove: true });
    expect(await bot.ended).toBe(78);
    expect(bot.output()).toContain('E_UNAUTHORIZED');
    expect(bot.output()).not.toContain(token);
  });

  it('waits for a platform that is not up yet, and starts as soon as it is', async () => {
    let isUp = false;
    const { baseUrl } = await openGate(platform, () => (isUp ? undefined : answering(503, {})));
    const env = { ...envOf(platform), BOT_BASE_URL: baseUrl };
    const bot = startBuilt(hello, env, [], ['--import', FAST_TIME]);
    await bot.said(/the platform cannot be reached, trying again in 1 s/);
    isUp = true;
    await connected();
    bot.child.kill('SIGTERM');
    expect(await bot.ended).toBe(0);
  });

  it('exits cleanly on SIGTERM while it waits for a platform that does not respond', async () => {
    const env = { ...envOf(platform), BOT_BASE_URL: 'http://127.0.0.1:1' };
    const bot = startBuilt(hello, env, ['--sync'], ['--import', FAST_TIME]);
    await bot.said(/the platform cannot be reached, trying again in 1 s/);
    bot.child.kill('SIGTERM');
    expect(await bot.ended).toBe(0);
    expect(bot.output()).not.toContain('Error [');
  });

  it('makes a span of each command when the bot sets OpenTelemetry up', async () => {
    const bot = startBuilt(more, envOf(platform), ['--sync']);
    await connected();
    await bot.said(/is ready/);
    platform.run({ rawInput: '/traced' });
    const [line] = await bot.said(/^SPAN \/traced.*$/m);
    expect(line).toBe('SPAN /traced answered');
  });

  describe('--sync', () => {
    it('does not happen by default: the difference is only reported', async () => {
      await register('old');
      const bot = startBuilt(hello, envOf(platform));
      await connected();
      await bot.said(/the registered commands differ from the local ones/);
      expect(registered()).toEqual(['old']);
    });

    it('registers what is new, and deletes nothing', async () => {
      await register('old');
      const bot = startBuilt(hello, envOf(platform), ['--sync']);
      await connected();
      expect(registered().toSorted()).toEqual(['hello', 'old']);
      // Lines wait for each other for a moment.
      await soon(() =>
        expect(bot.output()).toContain('commands that this bot does not have stay registered'),
      );
    });

    it('deletes what --allow-delete names, or everything that has no file', async () => {
      await register('old', 'older');
      const naming = startBuilt(hello, envOf(platform), ['--sync', '--allow-delete=old']);
      await connected();
      expect(registered().toSorted()).toEqual(['hello', 'older']);
      naming.child.kill('SIGTERM');
      await naming.ended;
      await soon(() => expect(platform.snapshot().bot.connected).toBe(false));
      startBuilt(hello, envOf(platform), ['--sync', '--allow-delete']);
      await connected();
      expect(registered()).toEqual(['hello']);
    });
  });

  describe('--health', () => {
    const ask = async (url: string, path: string) => {
      const answer = await fetch(`${url}${path}`);
      return { status: answer.status, text: await answer.text() };
    };

    it('serves /healthz, /readyz and /metrics, and frees the port at the end', async () => {
      const bot = startBuilt(hello, envOf(platform), ['--sync', '--health', '0']);
      const url = (await bot.said(/serving health at (http:\/\/127\.0\.0\.1:\d+)/))[1] ?? '';
      await connected();
      await soon(() => expect(bot.output()).toContain('is ready'));
      platform.run({ rawInput: '/hello' });
      await soon(() => expect(platform.messages()).not.toEqual([]));
      const health = await ask(url, '/healthz');
      expect([health.status, JSON.parse(health.text)]).toMatchObject([
        200,
        { status: 'ok', ready: true, breaker: 'closed', readyAgeMs: expect.any(Number) },
      ]);
      expect(await ask(url, '/readyz')).toMatchObject({ status: 200 });
      await until(async () => {
        const { status, text } = await ask(url, '/metrics');
        expect(status).toBe(200);
        expect(text).toContain(
          'virgule_commands_total{name="hello",outcome="answered",caller="slash"} 1',
        );
        expect(text).toContain('virgule_command_duration_seconds_count{name="hello"} 1');
        expect(text).toContain('virgule_rest_total{name="interactions.respond",outcome="ok"} 1');
        expect(text).toContain('virgule_gateway_ready 1');
        expect(text).not.toContain(platform.token);
      });
      bot.child.kill('SIGTERM');
      expect(await bot.ended).toBe(0);
      await expect(ask(url, '/healthz')).rejects.toThrow('fetch failed');
    });

    it('is taken from the environment, and says that it starts while it is not ready', async () => {
      let go: () => void = () => {};
      const gate = new Promise<void>((resolve) => (go = resolve));
      const { baseUrl } = await openGate(platform, () => gate);
      const bot = startBuilt(hello, {
        ...envOf(platform),
        BOT_BASE_URL: baseUrl,
        BOT_HEALTH_PORT: '0',
      });
      const url = (await bot.said(/serving health at (http:\S+?)\/healthz/))[1] ?? '';
      expect(JSON.parse((await ask(url, '/readyz')).text)).toEqual({
        ready: false,
        phase: 'starting',
      });
      expect(await ask(url, '/healthz')).toMatchObject({ status: 200 });
      go();
      await until(async () => expect(await ask(url, '/readyz')).toMatchObject({ status: 200 }));
    });

    it('ends with 78 when it is no port, with 1 when it is in use', async () => {
      const wrong = startBuilt(hello, envOf(platform), ['--health', 'abc']);
      expect(await wrong.ended).toBe(78);
      expect(wrong.output()).toContain('[E_HEALTH_LISTEN] --health is "abc"');
      const busy = startBuilt(hello, envOf(platform), [`--health=${platform.port}`]);
      expect(await busy.ended).toBe(1);
      expect(busy.output()).toContain('[E_HEALTH_LISTEN]');
      expect(busy.output()).toContain('(EADDRINUSE)');
    });

    it('reads the library of the metrics only when it is asked for', async () => {
      const text = await readFile(join(hello, 'dist/bot.mjs'), 'utf8');
      // Not at the top level of the bundle, but in the function that imports it.
      const calls = [...text.matchAll(/require_prom_client\(\)/g)];
      expect(calls.map(({ index }) => text.slice(0, index))).toEqual([
        expect.stringMatching(/importMetrics=\(\)=>Promise\.resolve\(\)\.then\(\(\)=>__toESM\($/),
      ]);
    });
  });

  describe('virgule start', () => {
    it('passes its flags on, and ends as the bot ends', async () => {
      await register('old');
      const io = createTestIo({ cwd: hello, env: envOf(platform) });
      const ended = run(['start', '--sync', '--allow-delete=old', '--health', '0'], io);
      await connected();
      expect(registered()).toEqual(['hello']);
      io.stop();
      expect(await ended).toBe(0);
    });

    it('ends with 78 when the bot cannot start as it is set up', async () => {
      const env = { ...envOf(platform), BOT_TOKEN: 'a-wrong-token' };
      expect(await run(['start'], createTestIo({ cwd: hello, env }))).toBe(78);
      const unset = createTestIo({ cwd: hello, env: { ...env, BOT_TOKEN: '' } });
      expect(await run(['start'], unset)).toBe(78);
    });
  });
});
