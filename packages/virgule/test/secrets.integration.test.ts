// Secrets are absent from everything that programs write: each case starts programs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { inAllRuns } from '../../core/test/fixtures/property-runs.js';
import { buildApart, startBuilt } from './built-bot.js';
import { createTestProject, type TestProject } from './test-project.js';
import { until } from './until.js';

const BIN = fileURLToPath(new URL('../bin/virgule.mjs', import.meta.url));

/** Each is found by itself in what is written, whatever surrounds it. */
const MARKS = {
  password: 'made-up-passw0rd',
  song: 'made-up-song-key',
  firstOfList: 'made-up-list-key-1',
  line: 'MIIEmadeUpKeyLine0123456789',
  streamKey: 'made-up-stream-key',
};
const SECRETS = {
  DATABASE_URL: `postgres://app:${MARKS.password}@db.internal:5432/prod`,
  SONGS: MARKS.song,
  LIST: `${MARKS.firstOfList},made-up-list-key-2`,
  PEM: `-----BEGIN KEY-----\n${MARKS.line}\n-----END KEY-----`,
};

const CONFIG = `
import { defineConfig } from 'virgule';
import * as z from 'zod';
if (process.env.BREAK === 'config') throw new Error('config: ' + process.env.DATABASE_URL);
export default defineConfig({
  env: z.object({
    DATABASE_URL: z.url(),
    SONGS: z.string(),
    LIST: z.string().transform((text) => text.split(',')),
    PEM: z.string(),
  }),
});`;

/** Says everything that is secret, in many forms. */
const EVERYTHING = `
export const everything = (env = process.env) => [
  'token ' + process.env.BOT_TOKEN, String(process.env.BOT_TOKEN).replace(/^Bot /, ''),
  env.DATABASE_URL, new URL(env.DATABASE_URL).password, env.SONGS, String(env.LIST).split(',')[0],
  env.PEM, env.PEM.split('\\n').join(''), JSON.stringify(env),
].join(' | ');`;

const WITH = `import { everything } from '../lib/everything.js';`;
const FILES = {
  'virgule.config.ts': CONFIG,
  'lib/everything.ts': EVERYTHING,
  'services.ts': `
    import { everything } from './lib/everything.js';
    export default ({ env, log }) => {
      log.info({ env, text: everything(env) }, everything(env));
      if (process.env.BREAK === 'services') throw new Error(everything(env));
      return { map: new Map() };
    };`,
  'commands/fails.ts': `${WITH}
    export default { description: 'F', run: ({ env }) => {
      throw new Error(everything(env), { cause: new TypeError(everything(env)) });
    } };`,
  'commands/late.ts': `${WITH}
    export default { description: 'L', async run({ env, reply }) {
      await reply('answered');
      throw new Error(everything(env));
    } };`,
  'commands/logs.ts': `${WITH}
    // The mark itself is not to stand in the sources.
    const streamKey = ['made-up', 'stream', 'key'].join('-');
    export default { description: 'L', run: ({ env, log }) => {
      log.warn({ nested: [{ deep: { text: everything(env), streamKey } }] }, everything(env));
      log.warn({ ingress: new (class { streamKey = streamKey })() }, 'a class');
      log.error({ err: new Error(everything(env)) }, 'an error');
      return 'logged';
    } };`,
  'commands/rejects.ts': `${WITH}
    export default { description: 'R', run: ({ env }) => {
      void Promise.reject(new Error(everything(env)));
      return 'rejected';
    } };`,
  'commands/crashes.ts': `${WITH}
    export default { description: 'C', run: ({ env, clock }) => {
      setTimeout(() => { throw Object.assign(new Error(everything(env)), { env }); });
      return clock.sleep('1m');
    } };`,
  'commands/loads.ts': `${WITH}
    if (process.env.BREAK === 'command') throw new Error('loads: ' + everything());
    export default { description: 'L', run: () => 'loaded' };`,
};

let platform: Simulator;
beforeEach(async () => {
  platform = await startSimulator();
});
afterEach(() => platform.close());

/** As people paste it. */
const connection = () => ({
  BOT_TOKEN: `Bot ${platform.token}`,
  BOT_BASE_URL: platform.baseUrl,
  BOT_GATEWAY_URL: platform.gatewayUrl,
});

/** The secrets that these texts hold; a text that is empty proves nothing. */
function secretsIn(
  texts: Readonly<Record<string, string>>,
  token: string = platform.token,
): string[] {
  return Object.entries(texts).flatMap(([where, text]) =>
    text === ''
      ? [`${where} is empty`]
      : Object.entries({ ...MARKS, token }).flatMap(([name, mark]) =>
          text.includes(mark) ? [`${name} in ${where}: ${around(text, mark)}`] : [],
        ),
  );
}

const around = (text: string, mark: string): string =>
  text.slice(Math.max(0, text.indexOf(mark) - 80), text.indexOf(mark) + 40);

/** All files below a folder, as one text each. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Object.fromEntries(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [path, await readFile(path, 'utf8')] as const;
      }),
    ),
  );
}

const said = (text: string): void => {
  expect(platform.messages().map(({ content }) => content)).toContain(text);
};

interface Program {
  readonly output: () => string;
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the program of the command line. */
function start(root: string, argv: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd: root,
    // oxlint-disable-next-line virgule/outside-world -- a program of its own gets this one's environment.
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    output: () => output,
    ended,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
  } satisfies Program;
}

async function projectOf(files: Readonly<Record<string, string>> = FILES): Promise<TestProject> {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  return project;
}

const written = (program: Pick<Program, 'output'>, text: string | RegExp): Promise<void> =>
  until(() => expect(program.output()).toMatch(text));

describe('a built bot', () => {
  /** Holds nothing but the `dist/` of `FILES`, with tracing. */
  let folder: string;
  beforeAll(async () => {
    const built = await buildApart(
      {
        ...FILES,
        'lib/tracing.ts': `
          import { trace } from '@opentelemetry/api';
          import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
          const exporter = {
            export(spans, done) {
              for (const { name, status, events } of spans) console.log('SPAN', name, JSON.stringify({ status, events }));
              done({ code: 0 });
            },
            shutdown: async () => {},
          };
          trace.setGlobalTracerProvider(
            new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
          );`,
        'commands/traces.ts': `import '../lib/tracing.js'; export default { description: 'T', run: () => 'traced' };`,
      },
      (root) =>
        symlink(
          fileURLToPath(new URL('../../runtime/node_modules/@opentelemetry', import.meta.url)),
          join(root, 'node_modules', '@opentelemetry'),
        ),
    );
    folder = built.folder;
    return built.remove;
  });

  it('shows no secret in its log, chat, spans, metrics, files, and in what ends it', async () => {
    const bot = startBuilt(folder, { ...connection(), ...SECRETS }, ['--sync', '--health', '0']);
    await bot.said(/is ready/);
    const [, health = ''] = await bot.said(/serving health at (http:\/\/127\.0\.0\.1:\d+)/);
    for (const line of ['/fails', '/late', '/logs', '/rejects', '/loads'])
      platform.run({ rawInput: line });
    await until(() => {
      said('Something went wrong.');
      said('logged');
      said('rejected');
      said('loaded');
    });
    await bot.said(/SPAN \/fails .*exception/);
    const served = async (path: string) => (await fetch(health + path)).text();
    const pages = { healthz: await served('/healthz'), metrics: await served('/metrics') };
    platform.run({ rawInput: '/crashes' });
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toContain('"msg":"uncaught exception in /crashes: token [redacted]');
    expect(
      secretsIn({
        output: bot.output(),
        snapshot: JSON.stringify(platform.messages()),
        ...pages,
        ...(await filesIn(folder)),
      }),
    ).toEqual([]);
  });

  it.each(['command', 'services', 'config'])(
    'shows no secret when it cannot start because of its %s',
    async (part) => {
      const bot = startBuilt(folder, { ...connection(), ...SECRETS, BREAK: part });
      expect(await bot.ended).toBe(1);
      expect(bot.output()).toContain('[redacted]');
      expect(secretsIn({ output: bot.output(), ...(await filesIn(folder)) })).toEqual([]);
    },
  );
});

describe('virgule dev', () => {
  it('shows no secret in the terminal, on the page and in its files, and passes no real token to the bot', async () => {
    const token = 'made-up-real-token';
    const project = await projectOf({
      ...FILES,
      '.env': `BOT_TOKEN=${token}\n`,
      'commands/own.ts': `export default { description: 'T', run: () => 'with ' + process.env.BOT_TOKEN };`,
      'commands/wrong.ts': `${WITH} throw new Error(everything());`,
    });
    const dev = start(project.root, ['dev', '--json', '--port', '0'], SECRETS);
    await written(dev, /"type":"problems"/);
    const [, baseUrl = ''] = /"baseUrl":"([^"]*)"/.exec(dev.output()) ?? [];
    const [, userToken = ''] = /"userToken":"([^"]*)"/.exec(dev.output()) ?? [];
    const snapshot = async (): Promise<string> => (await fetch(`${baseUrl}/_sim/world`)).text();
    const { channels, commands } = JSON.parse(await snapshot()) as {
      readonly channels: readonly { readonly id: string; readonly name: string }[];
      readonly commands: readonly { readonly id: string; readonly name: string }[];
    };
    const general = channels.find(({ name }) => name === 'general')?.id ?? '';
    const messages = async (): Promise<string> =>
      (await fetch(`${baseUrl}/_sim/messages?channel=${general}&limit=50`)).text();
    const type = (name: string): Promise<Response> =>
      fetch(`${baseUrl}/api/channels/${general}/interactions/commands`, {
        method: 'POST',
        headers: { authorization: `Bearer ${userToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          commandId: commands.find((command) => command.name === name)?.id,
          rawInput: `/${name}`,
        }),
      });
    for (const name of ['fails', 'late', 'logs', 'rejects', 'own']) await type(name);
    await until(async () => {
      const chat = await messages();
      // Causes are for the author of the code.
      expect(chat).toContain('Something went wrong. Error: token [redacted]');
      for (const text of ['logged', 'rejected', 'with sim-bot-']) expect(chat).toContain(text);
    });
    const page = await snapshot();
    expect(page).toContain('E_LOAD_FAILED');
    await type('crashes');
    await written(dev, /"type":"lost"/);
    const [after, chat] = [await snapshot(), await messages()];
    dev.kill('SIGTERM');
    await dev.ended;
    const state = await filesIn(join(project.root, '.virgule'));
    expect(Object.keys(state).join()).toContain('chat.jsonl');
    expect(secretsIn({ output: dev.output(), page, after, chat, ...state }, token)).toEqual([]);
  });

  it('shows the same messages on the real platform as in production', async () => {
    const project = await projectOf({
      ...FILES,
      'commands/wrong.ts': `${WITH} throw new Error(everything());`,
    });
    const commands = ['fails', 'late', 'logs', 'rejects', 'crashes'];
    await fetch(`${platform.baseUrl}/api/bot/v1/commands`, {
      method: 'PUT',
      headers: { authorization: `Bot ${platform.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        commands: commands.map((name) => ({ name, description: 'X', options: [] })),
      }),
    });
    const dev = start(project.root, ['dev', '--live', '--json'], { ...connection(), ...SECRETS });
    await written(dev, /"type":"problems"/);
    for (const name of ['fails', 'late', 'logs', 'rejects']) platform.run({ rawInput: `/${name}` });
    await until(() => {
      for (const text of ['Something went wrong.', 'answered', 'logged', 'rejected']) said(text);
    });
    // Its second line: the first is written before the user is answered.
    await written(dev, /\/late failed\\"/);
    platform.run({ rawInput: '/crashes' });
    await written(dev, /"type":"lost"/);
    dev.kill('SIGTERM');
    await dev.ended;
    const contents = platform.messages().map(({ content }) => content);
    // /fails shows the error as its answer; /late, which fails after its answer, as a message that follows.
    expect(contents.filter((text) => text.startsWith('Something went wrong'))).toEqual([
      'Something went wrong.',
      'Something went wrong.',
    ]);
    expect(
      secretsIn({
        output: dev.output(),
        chat: JSON.stringify(platform.messages()),
        ...(await filesIn(join(project.root, '.virgule'))),
      }),
    ).toEqual([]);
  });
});

describe('the command line', () => {
  it.runIf(inAllRuns).each([
    ['check', ['config', 'command']],
    ['check --json', ['config', 'command']],
    ['list --json', ['command']],
    ['build', ['config', 'command']],
    ['deploy', ['command']],
    ['run /fails', ['config', 'command', 'services']],
    ['doctor', ['config']],
    ['dev --live --once', ['config', 'services']],
  ])('shows no secret when the project cannot be loaded: %s', async (line, parts) => {
    for (const part of parts) {
      const project = await projectOf();
      const env = { ...connection(), ...SECRETS, BREAK: part };
      const program = start(project.root, line.split(' '), env);
      await program.ended;
      expect(secretsIn({ [`${line} with ${part}`]: program.output() })).toEqual([]);
    }
  });

  it
    .runIf(inAllRuns)
    .each(['run /crashes', 'run /fails --json', 'run /late', 'run /rejects', 'run /logs'])(
    'shows no secret of a handler: %s',
    async (line) => {
      const project = await projectOf();
      const program = start(project.root, line.split(' '), { ...connection(), ...SECRETS });
      await program.ended;
      expect(program.output()).toContain('[redacted]');
      expect(secretsIn({ [line]: program.output() })).toEqual([]);
    },
  );

  it('shows no secret of a promise that is rejected while the project is loaded', async () => {
    const project = await projectOf({
      ...FILES,
      'commands/loads.ts': `${WITH}
        void Promise.reject(new Error(everything()));
        await new Promise((resolve) => setTimeout(resolve, 100));
        export default { description: 'L', run: () => 'loaded' };`,
    });
    const program = start(project.root, ['check'], { ...connection(), ...SECRETS });
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain('[redacted]');
    expect(secretsIn({ output: program.output() })).toEqual([]);
  });
});
