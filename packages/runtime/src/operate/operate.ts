import { failed } from './failed.js';
import type { Operation } from './operation.js';
import { storage } from './storage.js';
import { task } from './task.js';

/** Commands of `virgule` and of a built bot that work with the stored data of the bot. */
export const operations = { storage, task, failed } satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

export const isOperation = (word: string | undefined): word is OperationName =>
  word !== undefined && Object.hasOwn(operations, word);
