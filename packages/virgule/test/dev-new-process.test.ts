import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestProject, type TestProject } from './test-project.js';

const BIN = fileURLToPath(new URL('../bin/virgule.mjs', import.meta.url));
/** Starting a process takes seconds on a busy machine. */
const SLOW = { timeout: 20_000, interval: 20 };

interface Report {
  readonly type: string;
  readonly [key: string]: unknown;
}

const CONFIG = (separator: string): string => `
import { defineConfig } from 'virgule';
import { z } from 'zod';
import { language } from './lib/language.js';
export default defineConfig({
  separator: '${separator}',
  env: z.object({ GREETING: z.string(), LANGUAGE: z.string().default(language) }),
});`;
const SERVICES = (name: string): string => `
import { defineServices } from 'virgule';
import { suffix } from './lib/suffix.js';
export default defineServices(({ env }) => ({
  ${name}: { text: env.GREETING + suffix, close: () => console.log('closed ${name}') },
}));`;
const FILES = {
  'virgule.config.ts': CONFIG('-'),
  'services.ts': SERVICES('one'),
  'lib/suffix.ts': `export const suffix = '!';`,
  'lib/language.ts': `export const language = 'en';`,
  '.env': 'GREETING=Hello',
  'tsconfig.json': '{}',
  'commands/say/all.ts': `
    export default { description: 'All', run: ({ services, env }) =>
      [process.pid, env.LANGUAGE, ...Object.entries(services).map(([name, { text }]) => name + '=' + text)].join(' ') };`,
};

/** What is changed one after the other, the reason that is told, and the answer from then on. */
const CHANGES: readonly (readonly [file: string, text: string, reason: string, answer: string])[] =
  [
    ['services.ts', SERVICES('two'), 'services.ts is created once', 'en two=Hello!'],
    [
      'lib/suffix.ts',
      `export const suffix = '?!';`,
      'lib/suffix.ts is used by services.ts, which is created once',
      'en two=Hello?!',
    ],
    [
      'lib/language.ts',
      `export const language = 'german';`,
      'lib/language.ts is used by virgule.config.ts, which is created once',
      'german two=Hello?!',
    ],
    ['.env', 'GREETING=Good morning', '.env is read at the start', 'german two=Good morning?!'],
    [
      '.env.local',
      'LANGUAGE=french',
      '.env.local is read at the start',
      'french two=Good morning?!',
    ],
    [
      'package.json',
      '{ "name": "another", "type": "module" }',
      'package.json decides how files are found',
      'french two=Good morning?!',
    ],
    [
      'tsconfig.json',
      '{ "compilerOptions": {} }',
      'tsconfig.json decides how files are read',
      'french two=Good morning?!',
    ],
  ];

// Processes start, and a busy machine takes its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

/** These run the built program: a child process cannot run the sources. */
describe('virgule dev', () => {
  let project: TestProject;
  let dev: ChildProcess;
  let reports: Report[];
  let ready: Report;

  beforeEach(async () => {
    project = await createTestProject(FILES);
    dev = spawn(process.execPath, [BIN, 'dev', '--json', '--port', '0'], {
      cwd: project.root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    reports = [];
    if (dev.stdout) {
      createInterface({ input: dev.stdout }).on('line', (line) =>
        reports.push(JSON.parse(line) as Report),
      );
    }
    ready = await reported('ready');
  });
  afterEach(async () => {
    if (dev.exitCode === null) {
      dev.kill('SIGTERM');
      await once(dev, 'exit');
    }
    await project[Symbol.asyncDispose]();
  });

  /** Waits for a report of this type that was not waited for before. */
  async function reported(type: string): Promise<Report> {
    return vi.waitFor(() => {
      const index = reports.findIndex((report) => report.type === type);
      expect(index, `${type} among ${JSON.stringify(reports)}`).toBeGreaterThanOrEqual(0);
      return reports.splice(index, 1)[0] as Report;
    }, SLOW);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- what the simulator answers is checked by the expectations.
  const get = async (path: string): Promise<any> =>
    (await fetch(`${ready['baseUrl'] as string}${path}`)).json();

  /** Runs the one command there is, as the demo user, and gives the pid and the rest of its answer. */
  async function say(name = 'say-all'): Promise<[pid: string, answer: string]> {
    const { channels, commands } = await get('/_sim/snapshot');
    const channel = channels.find((one: { name: string }) => one.name === 'general');
    const command = commands.find((one: { name: string }) => one.name === name);
    const { interactionId } = (await (
      await fetch(
        `${ready['baseUrl'] as string}/api/channels/${channel.id}/interactions/commands`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${ready['userToken'] as string}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ commandId: command.id, rawInput: `/${name}` }),
        },
      )
    ).json()) as { interactionId: string };
    return vi.waitFor(async () => {
      const { messages } = await get(`/_sim/channels/${channel.id}/messages?limit=50`);
      const answer = messages.find(
        (one: { interactionId: string }) => one.interactionId === interactionId,
      );
      expect(answer).toBeDefined();
      const [pid = '', ...rest] = String(answer.content).split(' ');
      return [pid, rest.join(' ')];
    }, SLOW);
  }

  it('starts a new process when services, settings or environment change, says why, and keeps the connection', async () => {
    let [before] = await say();
    for (const [file, text, reason, answer] of CHANGES) {
      await project.write(file, text);
      expect(await reported('restart')).toMatchObject({ reason });
      const [after, rest] = await say();
      expect([after === before, rest]).toEqual([false, answer]);
      before = after;
      // The services of the old process were disposed.
      await reported('output');
    }
    expect((await get('/_sim/state')).gateway.identifies).toBe(1);
  });

  it('takes a new separator over, and registers the new names', async () => {
    await project.write('virgule.config.ts', CONFIG('_'));
    expect(await reported('restart')).toMatchObject({
      reason: 'virgule.config.ts is read at the start',
    });
    const [, answer] = await say('say_all');
    expect(answer).toBe('en one=Hello!');
  });

  it('lets what ran before go on when services, settings or environment are not sound, and tells why', async () => {
    const [before] = await say();
    await project.write(
      'services.ts',
      `export default () => {\n  throw new Error('no database');\n};`,
    );
    expect(await reported('problems')).toMatchObject({
      answering: true,
      problems: [
        {
          code: 'E_SERVICES_FAILED',
          where: 'services.ts:2:9',
          frame: expect.stringContaining(`> 2 |   throw new Error('no database');`),
        },
      ],
    });
    expect((await say())[0]).toBe(before);

    await project.write('services.ts', SERVICES('one'));
    await reported('restart');
    await project.write('.env', '# GREETING=Hello');
    expect(await reported('problems')).toMatchObject({
      problems: [{ code: 'E_ENV_INVALID', where: 'virgule.config.ts:7:19' }],
    });
    await project.write('.env', 'GREETING=Back again');
    await reported('restart');
    expect((await say())[1]).toBe('en one=Back again!');
  });

  it('keeps the services when a command changes', async () => {
    const [before] = await say();
    await project.write(
      'commands/other.ts',
      `export default { description: 'O', run: () => 'o' };`,
    );
    await reported('reload');
    expect((await say())[0]).toBe(before);
  });
});
