import type * as Server from '@modelcontextprotocol/server';
import type * as Stdio from '@modelcontextprotocol/server/stdio';
import { errorCode } from '@virgule/core/errors';
import { cliErrors } from '../terminal/cli-errors.js';

/** The SDK of the Model Context Protocol, as far as it is used. */
export type Mcp = Pick<typeof Server, 'McpServer' | 'fromJsonSchema'> &
  Pick<typeof Stdio, 'StdioServerTransport' | 'serveStdio'>;

const importBoth = async (): Promise<Mcp> => ({
  ...(await import('@modelcontextprotocol/server')),
  ...(await import('@modelcontextprotocol/server/stdio')),
});

/**
 * Imports the SDK of the Model Context Protocol, an optional peer: bots do not need it.
 *
 * @throws VirguleError `E_MCP_MISSING` if it is not installed.
 */
export async function importMcp(load: () => Promise<Mcp> = importBoth): Promise<Mcp> {
  try {
    return await load();
  } catch (cause) {
    if (errorCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw cliErrors.E_MCP_MISSING({}, { cause });
  }
}
