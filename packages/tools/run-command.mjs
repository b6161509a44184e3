import { spawn } from 'node:child_process';
import { root } from './repository.mjs';

/** Disables telemetry and update notices. */
const quietEnvironment = { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };

/**
 * Runs a command until it exits. Never throws: if the command cannot be started or times out, `ok` is false
 * and `output` contains the reason.
 *
 * @param {readonly string[]} command program and arguments
 * @param {{ cwd?: string, show?: boolean, timeoutSeconds?: number, env?: NodeJS.ProcessEnv }} [options]
 *   `show` lets the command write to this terminal; otherwise its output is returned.
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function runCommand(command, options = {}) {
  const { cwd = root, show = false, timeoutSeconds = 600, env = {} } = options;
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...quietEnvironment, ...env },
      stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      // On Windows, only a shell starts .cmd files.
      shell: process.platform === 'win32',
    });
    let output = '';
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, timeoutSeconds * 1000);
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ ok: false, output: `${program} could not be started: ${error.message}` });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (timedOut) output += `\n${program} timed out after ${timeoutSeconds} s`;
      if (timedOut && show) console.error(`${program} timed out after ${timeoutSeconds} s`);
      resolve({ ok: code === 0 && !timedOut, output });
    });
  });
}
