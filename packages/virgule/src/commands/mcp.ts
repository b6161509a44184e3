import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { deployCommands } from '../deploy/deploy-commands.js';
import { runningSimulator } from '../state/state-lock.js';
import { createMcpServer, importMcp, type McpContext } from '../mcp/create-mcp-server.js';
import { requestAction } from '../sim/sim-client.js';
import { cliErrors } from '../terminal/cli-errors.js';
import { defineCliCommand } from '../terminal/command.js';
import { interrupted } from '../terminal/interrupted.js';
import type { Io } from '../terminal/io.js';

export const mcp = defineCliCommand({
  name: 'mcp',
  words: '',
  about: 'Serve tools for coding agents over the Model Context Protocol',
  flags: {},
  examples: ['virgule mcp', 'virgule mcp --cwd my-bot'],
  exits: { 0: 'the client ended the connection', 1: 'the SDK of the protocol is not installed' },
  async run(_args, io) {
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
  },
});

async function planDeploy(io: Io): Promise<unknown> {
  let text = '';
  // A prototype instead of a copy, because other properties change later.
  const captured = Object.create(io, {
    stdout: { value: { write: (part: string) => void (text += part) } },
  }) as Io;
  await deployCommands({ 'dry-run': true, json: true }, captured);
  return JSON.parse(text) as unknown;
}
