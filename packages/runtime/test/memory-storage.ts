import type { Clock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { memory } from '../src/storage/memory-storage.js';
import { createStorage, type Storage } from '../src/storage/storage.js';
import { StorageConnection } from '../src/storage/storage-connection.js';

/** An empty storage in the memory of the test. */
export function createMemoryStorage(clock: Clock): Storage {
  return createStorage(new StorageConnection(memory(), { clock, log: silentLog, root: '' }));
}
