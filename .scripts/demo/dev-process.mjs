import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How long a dev server may take to end after it was asked to. */
const graceMs = 5_000;

/** What each event of `virgule dev --json` says to people; others are told by their type alone. */
const words = {
  output: ({ line }) => parseJson(line)?.msg ?? line,
  reload: ({ files, ms }) => `reloaded ${files.join(', ')} in ${ms} ms`,
  restart: ({ reason, ms }) => `restarted in ${ms} ms, the connection was kept: ${reason}`,
  lost: ({ how }) => `the bot's process ended (${how}); starting it again`,
  problems: ({ problems }) =>
    problems
      .map(({ code, message, where, frame, hint }) =>
        [`[${code}] ${message}`, where, frame, hint].filter(Boolean).join('\n  '),
      )
      .join('\n'),
};

/** One event as text for people. */
const readable = (event) => words[event.type]?.(event) ?? event.type;

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
 *   `print` gets what it says, as readable lines and without its tokens
 */
export function startDev({ command, cwd, print }) {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl+C reaches only this process, which then asks once. Two signals
    // would mean "now, without saving".
    detached: process.platform !== 'win32',
  });
  /** @type {Set<string>} */
  const secrets = new Set();
  const say = (line) => {
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
      say(event === undefined ? line : readable(event));
    }
  });
  createInterface({ input: child.stderr }).on('line', say);

  let over = false;
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  void ended.then(() => (over = true));

  /** Ends the whole group: what the dev server started may outlive it. */
  const kill = () => {
    if (over || child.pid === undefined) return;
    try {
      if (process.platform === 'win32') child.kill('SIGKILL');
      else process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  };
  process.on('exit', kill);

  const close = async () => {
    const timer = setTimeout(kill, graceMs);
    child.kill('SIGINT');
    await ended;
    clearTimeout(timer);
  };
  return { ready, ended, close };
}
