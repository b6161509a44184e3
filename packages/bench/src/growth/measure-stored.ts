import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { sqlite, type Storage } from '@virgule/runtime';
import { createStorage, StorageConnection, TaskQueue } from '@virgule/runtime/bot';
import type { Task } from '@virgule/runtime/project';
import { cpuMicros } from '../rounds/process-usage.js';
import type { Sample } from '../rounds/scenario.js';

const READS = 20_000;
const SCANS = 2_000;
/** Entries of a page of due runs, as the runner of tasks reads them. */
const PAGE = { prefix: 'tasks:run:remind:', limit: 100 };

/** A storage file with this many entries. */
export interface StoredFile {
  /** Opens it, and measures that and reads of single entries. */
  measure(): Promise<Sample>;
  delete(): Promise<void>;
}

/** Returns a storage with entries `user:0` and so on. */
export function createStored(entries: number): StoredFile {
  const file = createFile(async ({ storage }) => {
    for (let index = 0; index < entries; index += 1)
      await storage.set(`user:${index}`, { points: index });
  });
  return {
    delete: () => file.delete(),
    async measure() {
      await file.create();
      const startMs = performance.now();
      const opened = file.open();
      await opened.storage.get('user:0');
      const openMs = performance.now() - startMs;
      const before = cpuMicros();
      let wrong = 0;
      for (let read = 0; read < READS; read += 1) {
        const index = (read * 7_919) % entries;
        const found = await opened.storage.get<{ points: number }>(`user:${index}`);
        if (found?.points !== index) wrong += 1;
      }
      const each = (cpuMicros() - before) / READS;
      await opened.connection.close();
      return { values: { openMs, cpuMicros: each }, wrong };
    },
  };
}

/** Returns a storage with pending runs of a task, of which none is due. */
export function createPending(runs: number): StoredFile {
  const dueMs = systemClock.now() + 86_400_000;
  const file = createFile(async ({ queue }) => {
    for (let index = 0; index < runs; index += 1)
      await queue.add(REMIND.name, dueMs + index, undefined);
  });
  return {
    delete: () => file.delete(),
    async measure() {
      await file.create();
      const startMs = performance.now();
      const { connection } = file.open();
      await connection.list(PAGE);
      const openMs = performance.now() - startMs;
      const before = cpuMicros();
      let wrong = 0;
      for (let scan = 0; scan < SCANS; scan += 1) {
        const page = await connection.list(PAGE);
        if (page.length !== PAGE.limit) wrong += 1;
      }
      const each = (cpuMicros() - before) / SCANS;
      await connection.close();
      return { values: { openMs, cpuMicros: each }, wrong };
    },
  };
}

const REMIND: Task = {
  name: 'remind',
  file: 'tasks/remind.ts',
  schedule: null,
  payload: undefined,
  timeoutMs: 1_000,
  retries: 0,
  backoffMs: 1_000,
  concurrency: 1,
  maxLateMs: Infinity,
  settings: {},
  run: () => {},
};

interface Opened {
  readonly connection: StorageConnection;
  readonly storage: Storage;
  readonly queue: TaskQueue;
}

/** Creates a storage file at the first measurement, which `fill` fills. */
function createFile(fill: (opened: Opened) => Promise<void>) {
  let root = '';
  let created: Promise<void> | undefined;
  const open = (): Opened => {
    const options = { clock: systemClock, log: silentLog, root };
    const connection = new StorageConnection(sqlite({ file: 'storage.db' }), options);
    const queue = new TaskQueue(connection, new Map([[REMIND.name, REMIND]]));
    return { connection, storage: createStorage(connection), queue };
  };
  async function write(): Promise<void> {
    root = await mkdtemp(join(tmpdir(), 'virgule-bench-storage-'));
    const opened = open();
    await fill(opened);
    await opened.connection.close();
  }
  return {
    open,
    create: () => (created ??= write()),
    async delete() {
      await created;
      if (created) await rm(root, { recursive: true, force: true });
    },
  };
}
