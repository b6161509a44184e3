import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MessageCommands, Storable } from '@virgule/runtime';
import { turn } from '@virgule/core/clock';
import { errorText, isVirguleError } from '@virgule/core/errors';
import type {
  SimBotAnswer,
  SimBotQuestion,
  SimHandlerFile,
  SimStoredEntry,
  SimStoredPage,
  SimTask,
  SimTaskRun,
} from '@virgule/core/simulator-api';
import { UUID } from '@virgule/core/text';
import {
  createStorage,
  tasksOf,
  type StorageConnection,
  type TaskQueue,
} from '@virgule/runtime/bot';
import {
  ANSWER_EVENTS,
  namesOfFiles,
  timingText,
  type Project,
  usageOf,
} from '@virgule/runtime/project';
import * as z from 'zod';

type HandlerFiles = Pick<Project, 'commands' | 'events' | 'tasks'>;

const MAX_RUNS = 50;
const PAGE = 200;
/** Maximum number of entries that a search reads, and number of entries after which it lets other work run. */
const MAX_SEARCHED = 100_000;
const STEP = 1_000;
const IDS = new RegExp(UUID, 'g');
const MAX_VALUE_LENGTH = 2_000;
/** Describes the input of a schema; a part that JSON schema cannot describe is any JSON. */
const ANY_INPUT = { io: 'input', unrepresentable: 'any' } as const;

export interface BotQuestionOptions {
  /** Returns the current commands, event handlers and tasks. */
  readonly project: () => HandlerFiles;
  readonly messageCommands?: MessageCommands | undefined;
  readonly tasks: TaskQueue;
  readonly storage: StorageConnection;
  /** The bot's folder. */
  readonly root: string;
}

/** Answers a question of the page about the tasks and the storage of this bot. Never rejects. */
export async function answerQuestion(
  options: BotQuestionOptions,
  question: SimBotQuestion,
): Promise<SimBotAnswer> {
  try {
    return { value: await answer(options, question) };
  } catch (error) {
    const code = isVirguleError(error) ? error.code : 'sim_bot_failed';
    return { error: { code, message: errorText(error) } };
  }
}

async function answer(
  { project, messageCommands, tasks, storage, root }: BotQuestionOptions,
  question: SimBotQuestion,
): Promise<unknown> {
  switch (question.type) {
    case 'handlers':
      return handlersOf(project(), messageCommands);
    case 'source': {
      const file = project().commands.get(question.command)?.file;
      return file === undefined
        ? undefined
        : { file, text: await readFile(join(root, file), 'utf8') };
    }
    case 'tasks':
      return describeTasks(tasks);
    case 'task': {
      const { action, name, payload, at } = question;
      if (action === 'cancel') return { done: await tasks.cancel(name) };
      if (action === 'retry') return { done: (await tasks.retry(name)) !== undefined };
      const dueMs = at === undefined ? storage.clock.now() : Date.parse(at);
      return { id: (await tasks.add(name, dueMs, payload)).id };
    }
    case 'storage':
      return readPage(storage, question);
    case 'set-entry':
      return createStorage(storage).update(question.key, () => question.value as Storable);
  }
}

/** Returns the commands, event handlers and tasks with questions of a project, with their files. */
export const handlersOf = (
  project: HandlerFiles,
  messages?: MessageCommands,
): readonly SimHandlerFile[] => [
  ...Array.from(project.commands.values(), (command) => ({
    name: command.name,
    file: command.file,
    message: usageOf(command, messages).messageUsage,
    about: command.wire.description,
  })),
  ...[...project.events.values()]
    .flat()
    .map(({ event, file, burstMs }) => ({ name: event, file, burstMs })),
  ...[...tasksOf(project).values()].flatMap(({ file, waits }) =>
    waits ? ANSWER_EVENTS[waits].map((name) => ({ name, file })) : [],
  ),
];

async function describeTasks(queue: TaskQueue): Promise<readonly SimTask[]> {
  const { tasks, store } = queue;
  // The task of approvals is shown if it has runs.
  const names = new Set([...namesOfFiles(tasks), ...(await store.names())]);
  return Promise.all(
    [...names].toSorted().map(async (name) => {
      const task = tasks.get(name);
      const runs: SimTaskRun[] = [];
      for await (const run of queue.all(name)) {
        const { repeats, ...shown } = run;
        const timing = repeats?.key === undefined ? undefined : timingText(repeats);
        if (runs.push({ ...shown, timing }) > MAX_RUNS) break;
      }
      return {
        name,
        file: task?.file ?? null,
        schedule: task?.schedule ? timingText(task.schedule) : null,
        canRun: task !== undefined && !task.waits,
        payload: task?.payload ? z.toJSONSchema(task.payload, ANY_INPUT) : null,
        runs: runs.slice(0, MAX_RUNS),
        hasMore: runs.length > MAX_RUNS,
      };
    }),
  );
}

async function readPage(
  storage: StorageConnection,
  { prefix, search = '', ids = [], after }: Extract<SimBotQuestion, { readonly type: 'storage' }>,
): Promise<SimStoredPage> {
  const wanted = new Set<string>(ids);
  const isFound = (text: string): boolean =>
    text.includes(search) || (wanted.size > 0 && !!text.match(IDS)?.some((id) => wanted.has(id)));
  const entries: SimStoredEntry[] = [];
  let searched = 0;
  for await (const { key, value, expiresInMs } of storage.entries(prefix, after)) {
    if (entries.length === PAGE || searched === MAX_SEARCHED) return { entries, hasMore: true };
    searched += 1;
    if (searched % STEP === 0) await turn();
    if (!isFound(key) && !isFound(value)) continue;
    const { length } = value;
    entries.push({ key, expiresInMs, value: value.slice(0, MAX_VALUE_LENGTH), length });
  }
  return { entries, hasMore: false };
}
