import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Time for the dev server to exit before it is killed. */
const exitTimeoutMs = 5_000;

/** Descriptions of the events of `virgule dev --json`; others are shown by their type. */
const descriptions = {
  output: ({ line }) => parseJson(line)?.msg ?? line,
  reload: ({ files, ms }) => `reloaded ${files.join(', ')} in ${ms} ms`,
  restart: ({ reason, ms }) => `restarted in ${ms} ms, the connection stayed open: ${reason}`,
  lost: ({ how }) => `the process of the bot exited (${how}); restarting it`,
  problems: ({ problems }) =>
    problems
      .map(({ code, message, where, frame, hint }) =>
        [`[${code}] ${message}`, where, frame, hint].filter(Boolean).join('\n  '),
      )
      .join('\n'),
};

/** Returns the description of an event. */
const readable = (event) => descriptions[event.type]?.(event) ?? event.type;

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} line */
function parseEvent(line) {
  const event = parseJson(line);
  return typeof event?.type === 'string' ? event : undefined;
}

/**
 * Starts `virgule dev --json` and reads its events.
 *
 * @param {{ command: readonly string[], cwd: string, print: (line: string) => void }} options
 *   `print` receives its output as readable lines, without tokens
 */
export function startDev({ command, cwd, print }) {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a separate process group, so that Ctrl+C sends one signal, from this process. A second one
    // would mean "exit immediately, without saving".
    detached: process.platform !== 'win32',
  });
  /** @type {Set<string>} */
  const secrets = new Set();
  const printSafely = (line) => {
    let text = line;
    for (const secret of secrets) text = text.replaceAll(secret, '[token]');
    print(text);
  };

  /** @type {(ready: import('./demo-user.mjs').Ready) => void} */
  let announceReady;
  const ready = new Promise((resolve) => {
    announceReady = resolve;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = parseEvent(line);
    if (event?.type === 'ready') {
      for (const secret of [event.token, event.userToken]) if (secret) secrets.add(secret);
      announceReady(event);
    } else if (line.trim() !== '') {
      printSafely(event === undefined ? line : readable(event));
    }
  });
  createInterface({ input: child.stderr }).on('line', printSafely);

  let exited = false;
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  void ended.then(() => (exited = true));

  /** Kills the whole group, because child processes of the dev server may outlive it. */
  const kill = () => {
    if (exited || child.pid === undefined) return;
    try {
      if (process.platform === 'win32') child.kill('SIGKILL');
      else process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  };
  process.on('exit', kill);

  const close = async () => {
    const timer = setTimeout(kill, exitTimeoutMs);
    child.kill('SIGINT');
    await ended;
    clearTimeout(timer);
  };
  return { ready, ended, close };
}
