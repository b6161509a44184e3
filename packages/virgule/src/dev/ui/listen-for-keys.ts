import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ConnectionSettings } from '@virgule/runtime/project';
import type { Io } from '../../terminal/io.js';
import { PACKAGE_FOLDER } from '../../package-folder.js';
import type { DevOutput } from './dev-output.js';
import type { DevServer } from '../server/dev-server.js';

type DevAction = 'help' | 'restart' | 'open' | 'deploy' | 'clear' | 'quit';

/** Key of `virgule dev`. */
interface DevKey {
  readonly key: string;
  readonly action: DevAction;
  /** Effect of the key, for people. */
  readonly help: string;
  /** Limits the key to a real platform (`true`) or to a simulator (`false`). @defaultValue works on both */
  readonly live?: boolean;
}

const KEYS: readonly DevKey[] = [
  { key: 'h', action: 'help', help: 'shows this list' },
  { key: 'r', action: 'restart', help: 'restarts the process of the bot' },
  { key: 'o', action: 'open', help: 'opens the chat page in the browser', live: false },
  { key: 'd', action: 'deploy', help: 'shows the plan of a deploy, and asks', live: true },
  { key: 'c', action: 'clear', help: 'clears the terminal' },
  { key: 'q', action: 'quit', help: 'ends the bot, as Ctrl+C does' },
];

/** Returns the keys that work on a real platform, or on a simulator. */
export const keysOn = (live: boolean): readonly DevKey[] =>
  KEYS.filter((known) => known.live !== !live);

export interface ListenForKeysOptions {
  readonly io: Io;
  readonly server: Pick<DevServer, 'restart' | 'plan'>;
  readonly output: Pick<DevOutput, 'open' | 'write'>;
  /** Address of the chat page; only on a simulator. */
  readonly page?: string | undefined;
  /** Connection settings of the real platform; only on a real platform. */
  readonly connection?: ConnectionSettings | undefined;
  readonly quit: () => void;
  /** Runs a deploy that owns the terminal. @defaultValue `virgule deploy` in a separate process */
  readonly deploy?: ((io: Io, connection: ConnectionSettings) => Promise<void>) | undefined;
}

const CLEAR = '\u001B[2J\u001B[3J\u001B[H';

/** Runs the actions of the keys of `virgule dev` until the result is disposed. */
export function listenForKeys(options: ListenForKeysOptions): { [Symbol.dispose](): void } {
  const { io, server, output, page, connection, quit, deploy = deployApart } = options;
  const keys = keysOn(connection !== undefined);
  const help = keys.map(({ key, help }) => `  ${key}  ${help}\n`).join('');
  let stop = io.keys(onKey);

  /** Runs `virgule deploy`, which receives the keys during its questions. */
  async function runDeploy(to: ConnectionSettings): Promise<void> {
    stop();
    try {
      await deploy(io, to);
    } finally {
      stop = io.keys(onKey);
    }
    server.plan();
  }

  const actions: Readonly<Record<DevAction, () => unknown>> = {
    help: () => output.write(`\n${help}\n`),
    restart: () => server.restart('manual'),
    open: () => page !== undefined && output.open(page),
    deploy: () => connection && runDeploy(connection),
    clear: () => output.write(CLEAR),
    quit,
  };
  function onKey(key: string): void {
    // Caps Lock has no effect.
    const known = keys.find((each) => each.key === key.toLowerCase());
    if (known) actions[known.action]();
  }

  return { [Symbol.dispose]: () => stop() };
}

const BIN = join(PACKAGE_FOLDER, 'dist/bin/virgule.js');

async function deployApart(io: Io, { token, baseUrl, gatewayUrl }: ConnectionSettings) {
  const child = spawn(process.execPath, [BIN, 'deploy'], {
    cwd: io.cwd,
    env: { ...io.env, BOT_TOKEN: token, BOT_BASE_URL: baseUrl, BOT_GATEWAY_URL: gatewayUrl },
    stdio: 'inherit',
  });
  await once(child, 'close');
}
