import { raceAbort } from '@virgule/core/abort';
import { systemClock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import { showControls } from '@virgule/core/text';
import { TaskQueue, type Project } from '@virgule/runtime/project';
import { createLoader } from '../../loader/create-loader.js';
import { openProject } from '../../project/open-project.js';
import { ProjectProblems } from '../../project/project-problems.js';
import { cliErrors } from '../cli-errors.js';
import { defineCliCommand } from '../command.js';
import type { Io } from '../io.js';
import { DEV_FLAG, openStorage } from '../open-storage.js';
import { readableIoEnv } from '../read-io-env.js';

export const task = defineCliCommand({
  name: 'task',
  words: 'ACTION',
  about: 'List the runs of tasks, and run, cancel or retry one',
  flags: {
    ...DEV_FLAG,
    json: { type: 'boolean', about: 'Print JSON: one object per run' },
  },
  examples: [
    'virgule task list',
    'virgule task run digest',
    'virgule task run digest --dev',
    `virgule task run remind '{"text": "tea"}'`,
    'virgule task cancel remind:0001795441478059:8a1c9b1e-52c4',
  ],
  exits: { 0: 'done', 1: 'an error, or there is no such run' },
  async run({ flags: { json = false, dev = false }, words }, io) {
    const [name = '', ...given] = words;
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (!action || given.length < action.least || given.length > action.most) {
      const want = '`list [NAME]`, `run NAME [JSON]`, `cancel ID` or `retry ID`';
      throw cliErrors.E_ARGUMENTS({ command: 'task', want, saw: words });
    }
    const { tasks } = await readProject(io);
    const connection = await openStorage(io, { dev });
    try {
      return await action.run({ queue: new TaskQueue(connection, tasks), given, io, json });
    } finally {
      await connection.close();
    }
  },
});

interface ActionInput {
  readonly queue: TaskQueue;
  /** The words after the action. */
  readonly given: readonly string[];
  readonly io: Io;
  readonly json: boolean;
}

interface Action {
  /** How many words it takes. */
  readonly least: number;
  readonly most: number;
  /** Resolves with the exit code. */
  run(input: ActionInput): Promise<number>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { least: 0, most: 1, run: list },
  run: {
    least: 1,
    most: 2,
    async run({ queue, given: [name = '', text], io, json }) {
      const payload = text === undefined ? undefined : readJson(text);
      const { id } = await queue.add(name, systemClock.now(), payload);
      io.stdout.write(json ? `${JSON.stringify({ v: 1, id })}\n` : `${id}\n`);
      return 0;
    },
  },
  cancel: {
    least: 1,
    most: 1,
    async run({ queue, given: [id = ''], io }) {
      if (await queue.store.cancel(id)) return 0;
      const why = (await queue.store.isScheduled(id))
        ? `${showControls(id)} is the next run of a schedule, which only its file changes.`
        : `No run ${showControls(id)} is pending.`;
      io.stderr.write(`${why}\n`);
      return 1;
    },
  },
  retry: {
    least: 1,
    most: 1,
    async run({ queue, given: [id = ''], io, json }) {
      const next = await queue.store.retry(id);
      if (next === undefined) {
        io.stderr.write(`No run ${showControls(id)} has failed in the last week.\n`);
        return 1;
      }
      io.stdout.write(json ? `${JSON.stringify({ v: 1, id: next })}\n` : `${next}\n`);
      return 0;
    },
  },
};

async function list({ queue, given: [only], io, json }: ActionInput): Promise<number> {
  const { store, tasks } = queue;
  const names = new Set([...tasks.keys(), ...(await store.names())]);
  for (const name of only === undefined ? [...names].toSorted() : [only]) {
    for await (const run of store.all(name)) {
      io.interrupt.throwIfAborted();
      const { id, state, dueMs, payload, reason } = run;
      const at = new Date(dueMs).toISOString();
      const line = json
        ? JSON.stringify({ id, task: name, state, at, payload, reason })
        : [at, state.padEnd(9), id, showControls(JSON.stringify(payload) ?? ''), reason ?? '']
            .filter(Boolean)
            .join('  ');
      io.stdout.write(`${line}\n`);
    }
  }
  return 0;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const want = `JSON, such as '{"text": "tea"}'`;
    throw cliErrors.E_ARGUMENTS(
      { command: 'task', want: `${want} (${errorText(cause)})`, saw: [text] },
      { cause },
    );
  }
}

async function readProject(io: Io): Promise<Project> {
  const loader = createLoader({ root: io.cwd });
  const env = readableIoEnv(io, 'development');
  const opened = await raceAbort(
    openProject(io.cwd, loader.importModule, { env, redact: io.redact }),
    io.interrupt,
  );
  const problems = opened.problems.filter(({ location }) =>
    opened.manifest.tasks.some(({ file }) => location?.file.endsWith(file)),
  );
  if (problems.length > 0) throw new ProjectProblems(problems);
  return opened.project;
}
