import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answering, createTestProject, type TestProject } from './test-project.js';

const BIN = fileURLToPath(new URL('../bin/virgule.mjs', import.meta.url));
/** Starting a process takes seconds on a busy machine. */
const SLOW = { timeout: 20_000, interval: 20 };

interface Report {
  readonly type: string;
  readonly [key: string]: unknown;
}

const FILES = {
  'lib/words.ts': `export const greeting = 'Hello';`,
  'commands/hello.ts': `
    import { defineCommand } from 'virgule';
    import { greeting } from '../lib/words.js';
    export default defineCommand({ description: 'Greet', run: () => greeting + ', world' });`,
  'commands/pid.ts': `export default { description: 'Pid', run: () => String(process.pid) };`,
};

// Processes start, and a busy machine takes its time.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

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
      expect(
        index,
        `a report of type ${type} among ${JSON.stringify(reports)}`,
      ).toBeGreaterThanOrEqual(0);
      return reports.splice(index, 1)[0] as Report;
    }, SLOW);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- what the simulator answers is checked by the expectations.
  const get = async (path: string): Promise<any> =>
    (await fetch(`${ready['baseUrl'] as string}${path}`)).json();

  /** Runs a line as the demo user and gives the bot's answer. */
  async function say(rawInput: string): Promise<string> {
    const snapshot = await get('/_sim/snapshot');
    const channel = snapshot.channels.find(
      (candidate: { name: string }) => candidate.name === 'general',
    );
    const name = rawInput.slice(1).split(' ', 1)[0];
    const command = snapshot.commands.find(
      (candidate: { name: string }) => candidate.name === name,
    );
    const response = await fetch(
      `${ready['baseUrl'] as string}/api/channels/${channel.id}/interactions/commands`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ready['userToken'] as string}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ commandId: command.id, rawInput }),
      },
    );
    const { interactionId } = (await response.json()) as { interactionId: string };
    return vi.waitFor(async () => {
      const { messages } = await get(`/_sim/channels/${channel.id}/messages?limit=50`);
      const answer = messages.find(
        (message: { interactionId: string }) => message.interactionId === interactionId,
      );
      expect(answer, `an answer to ${rawInput}`).toBeDefined();
      return answer.content as string;
    }, SLOW);
  }

  /** Waits until exactly these commands are registered. */
  async function registered(...names: string[]): Promise<void> {
    await vi.waitFor(async () => {
      const { commands } = await get('/_sim/snapshot');
      expect(commands.map((command: { name: string }) => command.name)).toEqual(names);
    }, SLOW);
  }

  const identifies = async (): Promise<number> => (await get('/_sim/state')).gateway.identifies;

  it('answers, and says where', async () => {
    expect(ready).toMatchObject({ v: 1, commands: 2, events: 0 });
    expect(ready['page']).toMatch(/^http:\/\/(127\.0\.0\.1|localhost):\d+\/$/);
    expect(await say('/hello')).toBe('Hello, world');
  });

  it('takes over a saved command, and a saved helper, without a reconnect', async () => {
    await project.write('commands/pid.ts', answering('another answer'));
    await reported('reload');
    expect(await say('/pid')).toBe('another answer');

    await project.write('lib/words.ts', `export const greeting = 'Good morning';`);
    await reported('reload');
    expect(await say('/hello')).toBe('Good morning, world');
    expect(await identifies()).toBe(1);
  });

  it('registers commands that come, change and go', async () => {
    await project.write('commands/new.ts', answering('brand new'));
    await registered('hello', 'new', 'pid');
    expect(await say('/new')).toBe('brand new');
    await project.remove('commands/new.ts');
    await registered('hello', 'pid');
  });

  it('goes on answering with the last good code while a file is broken, and shows the problem on the page', async () => {
    await project.write('commands/hello.ts', 'export default {\n  run: (');
    const { problems } = (await reported('problems')) as unknown as {
      problems: { code: string; where: string }[];
    };
    expect(problems).toEqual([expect.objectContaining({ code: 'E_SYNTAX' })]);
    expect(problems[0]?.where).toMatch(/^commands\/hello\.ts:2/);
    expect((await get('/_sim/snapshot')).problems).toHaveLength(1);
    expect(await say('/hello')).toBe('Hello, world');

    await project.write('commands/hello.ts', answering('mended'));
    await reported('reload');
    expect(await say('/hello')).toBe('mended');
    expect((await get('/_sim/snapshot')).problems).toHaveLength(0);
  });

  it('starts a new process for what cannot be swapped, without a reconnect', async () => {
    const before = await say('/pid');
    await project.write(
      'package.json',
      '{ "name": "test-bot", "type": "module", "version": "2.0.0" }',
    );
    expect((await reported('restart'))['reason']).toContain('package.json');
    expect(await say('/pid')).not.toBe(before);
    expect(await identifies()).toBe(1);
  });

  it('brings the bot back when its process is killed, and answers what came meanwhile', async () => {
    const pid = Number(await say('/pid'));
    process.kill(pid, 'SIGKILL');
    expect(await reported('lost')).toMatchObject({ how: 'killed by SIGKILL' });
    expect(await say('/hello')).toBe('Hello, world');
    await reported('restart');
    expect(Number(await say('/pid'))).not.toBe(pid);
    expect(await identifies()).toBe(1);
  });

  it('ends with 0 on SIGTERM and leaves no process behind', async () => {
    const pid = Number(await say('/pid'));
    dev.kill('SIGTERM');
    expect(await once(dev, 'exit')).toEqual([0, null]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

describe('virgule dev, refused', () => {
  it('says when the bot ends its own process while it loads', async () => {
    await using project = await createTestProject({ 'commands/a.ts': 'process.exit(3);' });
    const { code, err } = await devThatEnds(project);
    expect(code).toBe(1);
    expect(err).toContain('[E_CHILD_LOST]');
    expect(err).toContain('exit code 3');
  });

  it('prints every problem and exits with 1', async () => {
    await using project = await createTestProject({ 'commands/a.ts': 'export const x = 1;' });
    const { code, err } = await devThatEnds(project);
    expect(code).toBe(1);
    expect(err).toContain('[E_NO_HANDLER]');
    expect(err).toContain('commands/a.ts');
  });
});

async function devThatEnds({ root }: TestProject) {
  const dev = spawn(process.execPath, [BIN, 'dev', '--port', '0'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  dev.stderr.on('data', (chunk) => (err += String(chunk)));
  const [code] = (await once(dev, 'close')) as [number | null];
  return { code, err };
}
