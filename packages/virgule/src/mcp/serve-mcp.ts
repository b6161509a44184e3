import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { PACKAGE_FOLDER } from '../package-folder.js';
import { ENDS_WITH_PARENT } from '../process/end-with-parent.js';
import { runningSimulator } from '../state/state-lock.js';
import { createMcpServer, importMcp, type McpContext } from './create-mcp-server.js';
import { requestAction } from '../sim/sim-client.js';
import { cliErrors } from '../terminal/cli-errors.js';
import { interrupted } from '../terminal/interrupted.js';
import type { Io } from '../terminal/io.js';

const PROGRAM = join(PACKAGE_FOLDER, 'bin/virgule.mjs');

/** Maximum size of a plan, in bytes. */
const MAX_OUTPUT_BYTES = 2 ** 26;

/** Serves the tools on stdin and stdout until the client ends the connection. Resolves with the exit code. */
export async function serveMcp(io: Io): Promise<number> {
  const sdk = await importMcp();
  const context: McpContext = {
    async act(name, input) {
      const baseUrl = runningSimulator(io.cwd);
      if (baseUrl === undefined) throw cliErrors.E_SIM_NOT_RUNNING({});
      return requestAction(baseUrl, name, input);
    },
    planDeploy: () => planDeploy(io),
  };
  const output = new Writable({
    write(chunk, _encoding, done) {
      io.stdout.write(String(chunk));
      done();
    },
  });
  const server = sdk.serveStdio(() => createMcpServer(sdk, context, io.redact), {
    transport: new sdk.StdioServerTransport(io.stdin, output),
  });
  const ended = finished(io.stdin, { writable: false }).catch(() => {});
  await Promise.race([ended, interrupted(io.interrupt)]);
  await server.close();
  return 0;
}

/** Returns the output of `virgule deploy --dry-run --json`, run in a process that the bot's code may end or block. */
async function planDeploy({ cwd, env, interrupt }: Io): Promise<unknown> {
  const argv = [...ENDS_WITH_PARENT, PROGRAM, 'deploy', '--dry-run', '--json'];
  const options = { cwd, env: { ...env }, signal: interrupt, maxBuffer: MAX_OUTPUT_BYTES };
  const text = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, argv, options, (error, stdout, stderr) =>
      error ? reject(new Error(stderr.trim() || error.message)) : resolve(stdout),
    );
  });
  return JSON.parse(text) as unknown;
}
