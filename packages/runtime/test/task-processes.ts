import { createFakeClock, type Clock, type FakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { tasksOf } from '../src/command/run/approval.js';
import { createBot, type Bot } from '../src/bot/running-bot.js';
import type { BotEvent } from '../src/command/gateway-port.js';
import type { BotOptions } from '../src/bot/create-environment.js';
import type {
  AskedTaskDefinition,
  AskHandle,
  TaskDefinition,
  TaskHandle,
} from '../src/tasks/define-task.js';
import { memory } from '../src/storage/memory-storage.js';
import type { StorageDriver } from '../src/storage/storage-driver.js';
import { createStorage, type Storage } from '../src/storage/storage.js';
import { StorageConnection } from '../src/storage/storage-connection.js';
import { TaskQueue } from '../src/tasks/task-queue.js';
import { createFakeGateway, READY } from './fake-gateway.js';
import { createFakeRest, type FakeRest } from './fake-rest.js';
import { projectOf, type Modules } from './project-of.js';
import { createRecordedLog, type RecordedLog } from './recorded-log.js';

/** A process of a bot with tasks. */
export interface TaskProcess {
  readonly bot: Bot;
  readonly rest: FakeRest;
  readonly log: RecordedLog;
  /** Returns the handle of a task, as handlers get it. */
  task(name: string): TaskHandle & AskHandle;
  /** Schedules a run that failed for good again. */
  retry(id: string): Promise<string | undefined>;
  /** Cancels a run or a question. */
  cancel(id: string): Promise<boolean>;
  /** Replaces the tasks and the other modules, as a reload does. */
  reload(tasks: TaskFiles, modules?: Modules): Promise<void>;
  /** Delivers an event of the platform, possibly by a queue. Nothing arrives after a kill. */
  emit(event: string, data: unknown, queued?: BotEvent['queued']): void;
  /** Connects again. */
  reconnect(): void;
  /** Reports that its clock was set or paused. */
  clockWasSet(isPaused: boolean): void;
  /** Ends it as SIGKILL does: nothing of it happens any more. */
  kill(): void;
}

/** A task with a payload and an answer of any type. */
// oxlint-disable-next-line typescript/no-explicit-any
type AnyTask = TaskDefinition<any> | AskedTaskDefinition<any, any>;

/** Tasks by the names of their files. */
export type TaskFiles = Readonly<Record<string, AnyTask>>;

/** Processes on one machine, with one storage. */
export interface TaskMachine {
  readonly clock: FakeClock;
  readonly storage: Storage;
  /** Returns the entries of tasks without the lists of runs that are done. */
  entries(): Promise<readonly { readonly key: string; readonly value: unknown }[]>;
  /** `true` if writes fail, as on a full disk. */
  isFull: boolean;
  start(
    tasks: TaskFiles,
    options?: Partial<BotOptions>,
    modules?: Modules,
    at?: FakeClock,
  ): Promise<TaskProcess>;
}

export interface TaskMachineOptions {
  /** Duration of each use of the storage, on the clock. @defaultValue no time */
  readonly latencyMs?: () => number;
  /** `true` if other processes cannot open the storage. */
  readonly isPrivate?: boolean;
  /** The storage. @defaultValue one in memory */
  readonly driver?: StorageDriver;
  /**
   * `false` to skip polls of the storage, also of days, in which nothing is due.
   *
   * @defaultValue `true` if they may find something: with latency, several processes, or a clock that is set back
   */
  readonly isPolled?: boolean | undefined;
}

export async function createTaskMachine({
  latencyMs,
  isPrivate,
  driver: given,
  isPolled,
}: TaskMachineOptions = {}): Promise<TaskMachine> {
  const clock = createFakeClock();
  const time = { ...clock };
  let processes = 0;
  let wasSetBack = false;
  clock.advance = (ms) => {
    const arePollsUseful = latencyMs !== undefined || processes > 1 || wasSetBack;
    return time.advance(ms, { skipRoutine: !(isPolled ?? arePollsUseful) });
  };
  clock.shiftWallClock = (ms) => {
    wasSetBack ||= ms < 0;
    time.shiftWallClock(ms);
  };
  const driver = given ?? (await memory().open({ clock, log: silentLog, root: '' }));
  const connect = (of: StorageDriver, at: Clock): StorageConnection =>
    new StorageConnection(
      { name: 'the disk', isPrivate, open: async () => ({ ...of, close: async () => {} }) },
      { clock: at, log: silentLog, root: '' },
    );
  const machine: TaskMachine = {
    clock,
    storage: createStorage(connect(driver, clock)),
    async entries() {
      const all = await machine.storage.list('tasks:');
      return all.filter(({ key }) => !key.startsWith('tasks:done:'));
    },
    isFull: false,
    async start(tasks, options = {}, modules = {}, at = clock) {
      processes += 1;
      let isDead = false;
      const never = new Promise<never>(() => {});
      const whileAlive = async <T>(call: () => Promise<T>): Promise<T> => {
        if (isDead) return never;
        const result = await call();
        if (latencyMs) await clock.sleep(latencyMs());
        return isDead ? never : result;
      };
      const write = <T>(call: () => Promise<T>): Promise<T> =>
        machine.isFull ? Promise.reject(new Error('no space left')) : whileAlive(call);
      const own: StorageDriver = {
        get: (key) => whileAlive(() => driver.get(key)),
        set: (...entry) => write(() => driver.set(...entry)),
        swap: (...entry) => write(() => driver.swap(...entry)),
        delete: (key) => write(() => driver.delete(key)),
        list: (request) => whileAlive(() => driver.list(request)),
        close: async () => {},
      };
      const ownClock: Clock = {
        ...at,
        setTimeout: (callback, ms, timer) =>
          clock.setTimeout(() => isDead || callback(), ms, timer),
        // Claims are renewed: a run in progress must not lose its claim in time that is skipped.
        sleep: (ms, more) => whileAlive(() => clock.sleep(ms, { ...more, isRoutine: false })),
      };
      const project = await projectOf({ ...filesOf(tasks), ...modules });
      const connection = connect(own, ownClock);
      const queue = new TaskQueue(connection, tasksOf(project));
      const rest = createFakeRest();
      const gateway = createFakeGateway();
      const log = createRecordedLog();
      const bot = createBot({
        rest: rest.rest,
        gateway,
        log,
        clock: ownClock,
        random: () => 0.5,
        project,
        storage: connection,
        tasks: queue,
        ...options,
      });
      await bot.connect();
      return {
        bot,
        rest,
        log,
        task: (name) => {
          const handle: (TaskHandle & AskHandle) | undefined = queue.handles[name];
          if (!handle) throw new Error(name);
          return handle;
        },
        retry: (id) => queue.retry(id),
        cancel: (id) => queue.cancel(id),
        reload: async (next, modules) => bot.use(await projectOf({ ...filesOf(next), ...modules })),
        emit: (t, d, queued) => {
          if (!isDead) gateway.deliver({ t, d, queued, receivedAtMs: ownClock.monotonic() });
        },
        reconnect: () => gateway.status({ state: 'ready', ready: READY, reconnected: true }),
        clockWasSet: (isPaused) => queue.clockWasSet(isPaused),
        kill: () => {
          isDead = true;
        },
      };
    },
  };
  return machine;
}

const filesOf = (tasks: TaskFiles): Modules => ({
  'commands/x.ts': { default: { description: 'Does x', run: () => 'x' } },
  ...Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [`tasks/${name}.ts`, { default: task }]),
  ),
});
