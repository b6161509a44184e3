import { dead } from './dead.js';
import type { Operation } from './operation.js';
import { storage } from './storage.js';
import { task } from './task.js';

/** The commands that work with what a bot has stored, of `virgule` and of a built bot. */
export const operations = { storage, task, dead } satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** Returns whether a word names one of these commands. */
export const isOperation = (word: string | undefined): word is OperationName =>
  word !== undefined && Object.hasOwn(operations, word);
