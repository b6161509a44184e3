import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** Kills every running program. */
export function stopPrograms() {
  for (const child of running) child.kill('SIGKILL');
}
process.on('exit', stopPrograms);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/**
 * Starts a program that keeps running.
 *
 * @param {readonly string[]} command
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 */
export function startProgram(command, { cwd, env = {} }) {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (output += chunk));
  }
  /** @type {Promise<string>} */
  const firstLine = new Promise((resolve) => {
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  void ended.then(() => running.delete(child));
  /** @type {Promise<never>} */
  const endedEarly = ended.then((how) => {
    throw new Error(`"${command.join(' ')}" exited (${how})\n${output.trim()}`);
  });
  // Prevents an unhandled rejection while nothing awaits it.
  endedEarly.catch(() => {});
  return { child, firstLine, ended, endedEarly, output: () => output };
}

/**
 * Rejects with `message` if the promise does not settle in time.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {number} withinSeconds
 * @param {string} message
 */
export async function inTime(promise, withinSeconds, message) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    const fail = () => reject(new Error(`${message} within ${withinSeconds} s`));
    timer = setTimeout(fail, withinSeconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
