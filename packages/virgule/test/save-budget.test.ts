import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createRedactor, silentLog } from '@virgule/core/log';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDevBot } from '../src/dev/child/dev-bot.js';
import type { Child, ChildOptions } from '../src/dev/server/child.js';
import { simulatorPlatform } from '../src/dev/server/dev-platform.js';
import { startDevServer } from '../src/dev/server/dev-server.js';
import type { ReloadOutcome, ToChild } from '../src/dev/ipc.js';
import type { DevReport } from '../src/dev/ui/dev-report.js';
import { countCalls } from './count-calls.js';
import { createFakeChild } from './fake-child.js';
import { createTestProject } from './test-project.js';
import { until } from './until.js';

const command = (text: string): string => `import { helper } from '../lib/helper.js';
const text: string = '${text}';
export default { description: 'Answer', run: (): string => text + helper() };`;
const helper = (text: string): string => `export const helper = (): string => '${text}';`;

/** A dev server whose child is in this process: messages between the two are counted, not sent. */
async function openDev(files: number) {
  const names = Array.from({ length: files }, (_, n) => `commands/c${n}.ts`);
  const project = await createTestProject({
    ...Object.fromEntries(names.map((name) => [name, command('first')])),
    'lib/helper.ts': helper('first'),
  });
  const { root } = project;
  const platform = await startSimulator();
  const reports: DevReport[] = [];
  const messages: string[] = [];

  function startChild(options: ChildOptions): Child {
    const fake = createFakeChild(options);
    let settle: (outcome: ReloadOutcome) => void = () => {};
    const starting = startDevBot({
      root,
      live: false,
      env: {},
      log: silentLog,
      redact: createRedactor(),
      token: platform.token,
      baseUrl: platform.baseUrl,
      send(message) {
        messages.push(message.type);
        if (message.type === 'loaded') fake.start(message);
        else if (message.type === 'reply') settle(message.value as ReloadOutcome);
        else fake.say(message);
      },
    });
    async function send(message: ToChild): Promise<void> {
      messages.push(message.type);
      (await starting)?.receive(message);
    }
    const ask = (message: ToChild): Promise<ReloadOutcome> =>
      new Promise((resolve) => {
        settle = resolve;
        void send(message);
      });
    return Object.assign(fake.child, {
      send: (message: ToChild) => void send(message),
      reload: (changed: readonly string[]) => ask({ type: 'reload', number: 0, files: changed }),
      async stop() {
        await (await starting)?.close();
        fake.end();
      },
    });
  }

  const server = await startDevServer({
    root,
    platform: simulatorPlatform(platform),
    env: () => ({}),
    report: (report) => reports.push(report),
    log: silentLog,
    startChild,
  });
  onTestFinished(async () => {
    await server.close();
    await project[Symbol.asyncDispose]();
  });

  /** Saves a file, and returns what the reload has cost. */
  async function save(file: string, text: string) {
    const { length } = reports;
    messages.length = 0;
    using calls = countCalls(root);
    await project.write(file, text);
    await until(() => expect(reports[length]).toMatchObject({ type: 'reload', files: [file] }));
    const { files, compiles, requests } = calls;
    const { statSync = 0, readFileSync = 0, ...others } = files;
    // The child reads the file once more to compile it ahead, unless its reload has begun to compile it.
    const ahead = readFileSync - 1;
    expect([0, 1]).toContain(ahead);
    return {
      files: { ...others, statSync: statSync - ahead, readFileSync: readFileSync - ahead },
      compiles,
      requests,
      messages: [...messages],
    };
  }
  return { save };
}

// A threefold rise of these went unnoticed once. Raise a number only for something that users see.
const BUDGET = {
  files: {
    // The watcher compares the file with its last state.
    lstatSync: 1,
    // The loader and the reader of the project.
    'realpathSync.native': 2,
    statSync: 2,
    readFileSync: 1,
  },
  compiles: 1,
  requests: 0,
  messages: ['reload', 'reply'],
};

describe('a save', () => {
  it.each([10, 100])('costs these calls, whatever the size of the project: %i', async (files) => {
    const { save } = await openDev(files);
    await save('commands/c0.ts', command('warm'));
    expect(await save('commands/c0.ts', command('other'))).toEqual(BUDGET);
    expect(await save('lib/helper.ts', helper('other'))).toEqual({
      ...BUDGET,
      files: { ...BUDGET.files, statSync: 1 },
    });
  });

  it('reads the registered commands only when definitions change', async () => {
    const { save } = await openDev(3);
    const described = command('first').replace('Answer', 'Reply');
    // The comparison, then the change with a comparison before and after it.
    expect(await save('commands/c0.ts', described)).toMatchObject({ requests: 4 });
    expect(await save('commands/c0.ts', `${described}\n`)).toMatchObject({ requests: 0 });
  });

  it('runs only files that flow 1 of docs/architecture.md names', async () => {
    const { save } = await openDev(3);
    await save('commands/c0.ts', command('warm'));
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true });
    await save('commands/c0.ts', command('other'));
    const { result } = await session.post('Profiler.takePreciseCoverage');
    session.disconnect();
    const page = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');
    const [, flow = ''] = page.split(/^## /m).filter((part) => /^Flow|^Packages/.test(part));
    const files = result.flatMap(({ url, functions }) => {
      // Functions without a name are the exports that other modules read.
      const hasRun = functions.some(
        ({ functionName, ranges: [whole] }) => functionName !== '' && whole && whole.count > 0,
      );
      return (hasRun && /\/packages\/((?:virgule|runtime)\/src\/.+\/.+)/.exec(url)?.[1]) || [];
    });
    expect(files.length).toBeGreaterThan(30);
    // Timers of test bots in other files of this process may fire during the save.
    const ofSave = files.filter((file) => !file.startsWith('virgule/src/testing/'));
    expect(ofSave.filter((file) => !flow.includes(`\`${file}\``))).toEqual([]);
  });
});
