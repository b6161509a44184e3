import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';
import { createTestProject, type TestProject } from './test-project.js';

export const BIN = fileURLToPath(new URL('../bin/virgule.mjs', import.meta.url));
/** Starting a process takes seconds on a busy machine. */
const SLOW = { timeout: 60_000, interval: 20 };

export interface Report {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A running `virgule dev`. */
export interface RunningDev extends AsyncDisposable {
  readonly project: TestProject;
  readonly ready: Report;
  /** Everything reported so far that was not waited for. */
  readonly reports: readonly Report[];
  /** Forgets everything reported so far. */
  forgetReports(): void;
  /** Waits for a report of this type that was not waited for before. */
  reported(type: string): Promise<Report>;
  // oxlint-disable-next-line typescript/no-explicit-any -- what the simulator answers is checked by the expectations.
  get(path: string): Promise<any>;
  /** Runs a line as the demo user and returns the id of the interaction. */
  type(rawInput: string): Promise<string>;
  /** Runs a line and returns the bot's answer. */
  say(rawInput: string): Promise<string>;
  /** Waits until exactly these commands are registered. */
  registered(...names: string[]): Promise<void>;
  identifies(): Promise<number>;
}

export interface StartDevOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A folder that is there already, and stays. @defaultValue a new one with `files` */
  readonly project?: TestProject;
}

// The child of a server in this process runs the built packages, not their sources as this process does.
process.execArgv = [];

/** A server of `virgule dev` whose lines go to `onLine`. */
interface Server {
  end(): Promise<unknown>;
}
type StartServer = (
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  onLine: (line: string) => void,
) => Server;

/** Starts `virgule dev` as it was built, in a process of its own. */
export async function startDev(
  files: Readonly<Record<string, string>>,
  options?: StartDevOptions,
): Promise<RunningDev & { readonly process: ChildProcess }> {
  let child: ChildProcess | undefined;
  const dev = await follow(files, options, (argv, cwd, env, onLine) => {
    const started = spawn(process.execPath, [BIN, ...argv], {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    createInterface({ input: started.stdout }).on('line', onLine);
    return {
      async end() {
        if (started.exitCode !== null || started.signalCode !== null) return;
        started.kill('SIGTERM');
        await once(started, 'exit');
      },
    };
  });
  if (!child) throw new Error('No process was started.');
  return Object.assign(dev, { process: child });
}

/** Starts `virgule dev` from its sources, with the server in this process, which takes half of the CPU time. */
export const startDevHere = (
  files: Readonly<Record<string, string>>,
  options?: StartDevOptions,
): Promise<RunningDev> =>
  follow(files, options, (argv, cwd, env, onLine) => {
    const io = createTestIo({ cwd, env });
    const write = (text: string): void => text.trimEnd().split('\n').forEach(onLine);
    const ended = run(argv, { ...io, stdout: { write } });
    return {
      end() {
        io.stop();
        return ended;
      },
    };
  });

async function follow(
  files: Readonly<Record<string, string>>,
  { args = ['--port', '0'], env = {}, project: given }: StartDevOptions = {},
  start: StartServer,
): Promise<RunningDev> {
  const project = given ?? (await createTestProject(files));
  const reports: Report[] = [];
  const server = start(
    ['dev', '--json', ...args],
    project.root,
    // oxlint-disable-next-line virgule/outside-world -- a program of its own gets this one's environment.
    { ...process.env, ...env },
    (line) => reports.push(JSON.parse(line) as Report),
  );

  const reported = (type: string): Promise<Report> =>
    vi.waitFor(() => {
      const index = reports.findIndex((report) => report.type === type);
      expect(
        index,
        `a report of type ${type} among ${JSON.stringify(reports)}`,
      ).toBeGreaterThanOrEqual(0);
      return reports.splice(index, 1)[0] as Report;
    }, SLOW);

  async function close(): Promise<void> {
    await server.end();
    if (!given) await project[Symbol.asyncDispose]();
  }

  const ready = await reported('ready').catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const baseUrl = ready['baseUrl'] as string;
  const get: RunningDev['get'] = async (path) => (await fetch(`${baseUrl}${path}`)).json();
  // It stays the same for the whole run.
  const general: Promise<string> = get('/_sim/world').then(
    ({ channels }) => channels.find(({ name }: { name: string }) => name === 'general').id,
    () => '',
  );

  async function type(rawInput: string): Promise<string> {
    const { commands } = await get('/_sim/world');
    const name = rawInput.slice(1).split(' ', 1)[0];
    const command = commands.find((candidate: { name: string }) => candidate.name === name);
    const response = await fetch(`${baseUrl}/api/channels/${await general}/interactions/commands`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ready['userToken'] as string}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ commandId: command.id, rawInput }),
    });
    return ((await response.json()) as { interactionId: string }).interactionId;
  }

  return {
    project,
    ready,
    reports,
    forgetReports: () => void reports.splice(0),
    reported,
    get,
    type,
    async say(rawInput) {
      const interactionId = await type(rawInput);
      return vi.waitFor(async () => {
        const { messages } = await get(`/_sim/messages?channel=${await general}&limit=50`);
        const answer = messages.find(
          (message: { interactionId: string }) => message.interactionId === interactionId,
        );
        expect(answer, `an answer to ${rawInput}`).toBeDefined();
        return answer.content as string;
      }, SLOW);
    },
    registered: (...names) =>
      vi.waitFor(async () => {
        const { commands } = await get('/_sim/world');
        expect(commands.map((command: { name: string }) => command.name)).toEqual(names);
      }, SLOW),
    identifies: async () => (await get('/_sim/state')).gateway.identifies,
    [Symbol.asyncDispose]: close,
  };
}
