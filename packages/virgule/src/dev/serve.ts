import { createLineLog, optimizeLate, readEnv, type Env } from '@virgule/runtime/project';
import { interrupted } from '../terminal/interrupted.js';
import type { Io } from '../terminal/io.js';
import { readIoEnv } from '../terminal/read-io-env.js';
import type { DevFlags } from './dev-flags.js';
import { withColor } from './server/fork-child.js';
import type { DevServer } from './server/dev-server.js';
import { createDevOutput, type DevOutput } from './ui/dev-output.js';
import { listenForKeys, type ListenForKeysOptions } from './ui/listen-for-keys.js';

/** Returns the output, environment and log of `virgule dev`, common to all platforms. */
export function openDev(flags: DevFlags, io: Io) {
  const { once, inspect, mode = 'development', json } = flags;
  const output = createDevOutput(flags, io);
  const reported = new Set<string>();
  /** Reads the current environment, and reports each ignored line once. */
  const env = (): Env =>
    readEnv(io.cwd, mode, io.env, (text) => {
      if (!reported.has(text)) output.notice(text);
      reported.add(text);
    });
  const { LOG_LEVEL } = readIoEnv(io, mode, () => {});
  // Log level of this process, which runs no code of the project. An empty level counts as unset, as in a built bot.
  const level = LOG_LEVEL || 'warn';
  const log = createLineLog(level, io.redact, output.log);
  return {
    output,
    env,
    log,
    /** Options of the server that are equal on every platform. */
    serverOptions: {
      root: io.cwd,
      mode: flags.mode,
      signal: io.interrupt,
      inspectPort: inspect,
      watch: once ? null : undefined,
      env: () => withColor(env(), io.color && !json),
      report: output.report,
      log,
    },
  };
}

/** Resolves with the exit code when the server is interrupted or cannot continue. */
export async function serve(
  server: DevServer,
  { once, json }: DevFlags,
  io: Io,
  context: Pick<ListenForKeysOptions, 'page' | 'connection'> & { readonly output: DevOutput },
): Promise<number> {
  if (once) return server.problems.length === 0 ? 0 : 1;
  io.keepCode();
  optimizeLate();
  const quit = new AbortController();
  using _keys =
    io.interactive && !json
      ? listenForKeys({ server, io, ...context, quit: () => quit.abort() })
      : undefined;
  const ended = interrupted(AbortSignal.any([io.interrupt, quit.signal]));
  const failure = await Promise.race([ended, server.failed]);
  if (failure) throw failure;
  return 0;
}
