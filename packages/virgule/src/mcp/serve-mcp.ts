import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { deployCommands } from '../deploy/deploy-commands.js';
import { runningSimulator } from '../state/state-lock.js';
import { createMcpServer, importMcp, type McpContext } from './create-mcp-server.js';
import { requestAction } from '../sim/sim-client.js';
import { cliErrors } from '../terminal/cli-errors.js';
import { interrupted } from '../terminal/interrupted.js';
import type { Io } from '../terminal/io.js';

/** Serves the tools on stdin and stdout until the client ends the connection. Resolves with the exit code. */
export async function serveMcp(io: Io): Promise<number> {
  const sdk = await importMcp();
  // A deploy plan loads code of the project, which must not write into the protocol.
  io.reserveStdout();
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

/** Returns the output of `virgule deploy --dry-run --json`. */
async function planDeploy(io: Io): Promise<unknown> {
  let text = '';
  // A prototype instead of a copy, because other properties change later.
  const captured = Object.create(io, {
    stdout: { value: { write: (part: string) => void (text += part) } },
  }) as Io;
  await deployCommands({ 'dry-run': true, json: true }, captured);
  return JSON.parse(text) as unknown;
}
