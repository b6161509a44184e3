// Internal: for the program that `virgule build` writes.
export { guardOutput, runBot } from '@virgule/runtime/process';
