import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { buildElsewhere } from './built-bot.js';
import { createTestIo } from './test-io.js';
import { createTestProject, type TestProject } from './test-project.js';
import { until } from './until.js';

const SECRET = 'hunter22-the-api-key';

const FILES = {
  'virgule.config.ts': `
    import { defineConfig } from 'virgule';
    import * as z from 'zod';
    const config = defineConfig({
      separator: '_',
      env: z.object({ API_KEY: z.string(), PORT: z.coerce.number().default(80) }),
    });
    export default config;
    declare module 'virgule' { interface Register { config: typeof config } }`,
  'lib/counter.ts': `export const counter = { made: 0 };`,
  'services.ts': `
    import { defineServices } from 'virgule';
    import { counter } from './lib/counter.js';
    const services = defineServices(async ({ env, log, onDispose }) => {
      counter.made += 1;
      onDispose(() => console.log('on-dispose'));
      if (env.API_KEY === 'wrong-api-key') throw new Error('The key ' + env.API_KEY + ' was refused.');
      log.info({ key: env.API_KEY }, 'Connected with ' + env.API_KEY);
      return { one: { close: () => console.log('closed one') }, two: { close: () => console.log('closed two') } };
    });
    export default services;
    declare module 'virgule' { interface Register { services: typeof services } }`,
  'commands/say/made.ts': `
    import { counter } from '../../lib/counter.js';
    export default { description: 'Made', run: ({ env, services }) =>
      [counter.made, typeof env.PORT, Object.keys(services)].join(' ') };`,
};

const connectionOf = (platform: Simulator) => ({
  BOT_TOKEN: platform.token,
  BOT_BASE_URL: platform.baseUrl,
  BOT_GATEWAY_URL: platform.gatewayUrl,
});

/** The program and what it has written. */
interface Started {
  readonly child: ChildProcess;
  /** All that it wrote so far. */
  output(): string;
  readonly ended: Promise<number | null>;
}

function start(root: string, env: Readonly<Record<string, string>>): Started {
  const child = spawn(process.execPath, ['dist/bot.mjs'], { cwd: root, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, output: () => output, ended };
}

async function platformOf(): Promise<Simulator> {
  const platform = await startSimulator();
  onTestFinished(() => platform.close());
  return platform;
}

describe('a built bot', () => {
  /** `FILES`, built once: the project, and a folder that holds nothing but its `dist/`. */
  let project: TestProject;
  let built: string;
  beforeAll(async () => {
    project = await createTestProject(FILES);
    const io = createTestIo({ cwd: project.root });
    if ((await run(['build'], io)) !== 0) throw new Error(io.err);
    const server = await createTestProject({});
    await rm(join(server.root, 'node_modules'), { recursive: true });
    await cp(join(project.root, 'dist'), join(server.root, 'dist'), { recursive: true });
    built = server.root;
    return async () => {
      await server[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    };
  });

  it('carries services and settings, makes the services once, and disposes them in reverse order', async () => {
    const platform = await platformOf();
    const bot = start(built, { ...connectionOf(platform), API_KEY: SECRET });
    await until(() => expect(bot.output()).toContain('is ready'));
    // The name of the command carries the separator of the settings.
    const { commands } = JSON.parse(
      await readFile(join(built, 'dist', 'manifest.json'), 'utf8'),
    ) as { commands: { name: string }[] };
    expect(commands).toMatchObject([{ name: 'say_made' }]);
    bot.child.kill('SIGTERM');
    expect(await bot.ended).toBe(0);
    const closings = bot.output().match(/^(closed \w+|on-dispose)$/gm);
    expect(closings).toEqual(['closed two', 'closed one', 'on-dispose']);
    // Values that the environment declares secret stay out of the log, as the token does.
    expect(bot.output()).toContain('Connected with [redacted]');
    expect(bot.output()).not.toContain(SECRET);
    expect(bot.output()).not.toContain(platform.token);
  });

  it('answers with its services and its environment', async () => {
    const platform = await platformOf();
    const env = connectionOf(platform);
    // Deploying asks neither for the services nor for the environment of the bot.
    const deploy = createTestIo({ cwd: project.root, env });
    expect(await run(['deploy', '--yes'], deploy)).toBe(0);
    expect(platform.snapshot().commands.map(({ name }) => name)).toEqual(['say_made']);
    const bot = start(built, { ...env, API_KEY: SECRET });
    await until(() => expect(platform.snapshot().bot.connected).toBe(true));
    platform.run({ rawInput: '/say_made' });
    await until(() =>
      expect(platform.messages().map(({ content }) => content)).toContain('1 number one,two'),
    );
    bot.child.kill('SIGTERM');
    expect(await bot.ended).toBe(0);
  });

  it('ends with 78 and reports everything that is missing at once', async () => {
    const bot = start(built, { PORT: 'eighty' });
    expect(await bot.ended).toBe(78);
    for (const reported of [
      '[E_TOKEN_MISSING]',
      '[E_ENV_INVALID] The environment variable API_KEY is not set.',
      '[E_ENV_INVALID] The environment variable PORT is invalid: Invalid input: expected number, received NaN.',
    ])
      expect(bot.output()).toContain(reported);
    expect(bot.output()).not.toContain('eighty');
  });

  it('does not start when its services fail: it says which file, shows no secret, disposes what was made', async () => {
    const platform = await platformOf();
    const bot = start(built, { ...connectionOf(platform), API_KEY: 'wrong-api-key' });
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toContain(
      '[E_SERVICES_FAILED] The services of services.ts could not be created: The key [redacted] was refused.',
    );
    expect(bot.output()).toContain('on-dispose');
    expect(bot.output()).not.toContain('wrong-api-key');
    expect(platform.snapshot().bot.connected).toBe(false);
  });

  it('ends well on SIGTERM while its services are still being made', async () => {
    const folder = await buildElsewhere({
      ...FILES,
      'services.ts': `export default ({ signal, onDispose }) => {
        onDispose(() => console.log('gave up: ' + signal.aborted));
        console.log('waiting');
        const alive = setInterval(() => {}, 1_000);
        onDispose(() => clearInterval(alive));
        return new Promise(() => {});
      };`,
    });
    const platform = await platformOf();
    const bot = start(folder, { ...connectionOf(platform), API_KEY: SECRET });
    await until(() => expect(bot.output()).toContain('waiting'));
    await until(() => expect(platform.snapshot().bot.connected).toBe(true));
    bot.child.kill('SIGTERM');
    expect(await bot.ended).toBe(0);
    expect(bot.output()).toContain('gave up: true');
    expect(bot.output()).not.toContain('Error');
  });

  it('uses the addresses of its configuration when the environment names none', async () => {
    const platform = await platformOf();
    const folder = await buildElsewhere({
      'virgule.config.ts': `export default ${JSON.stringify({
        baseUrl: platform.baseUrl,
        gatewayUrl: platform.gatewayUrl,
      })};`,
      'commands/a.ts': `export default { description: 'A', run: () => 'a' };`,
    });
    const bot = start(folder, { BOT_TOKEN: platform.token });
    await until(() => expect(platform.snapshot().bot.connected).toBe(true));
    bot.child.kill('SIGTERM');
    expect(await bot.ended).toBe(0);
  });
});
