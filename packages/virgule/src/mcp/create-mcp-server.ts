import type * as Server from '@modelcontextprotocol/server';
import type * as Stdio from '@modelcontextprotocol/server/stdio';
import { errorCode, errorText, formatError, isVirguleError } from '@virgule/core/errors';
import * as z from 'zod';
import { SIM_ACTIONS } from '@virgule/simulator/control';
import { cliErrors } from '../terminal/cli-errors.js';
import { version } from '../terminal/version.js';

/** Used parts of the SDK of the Model Context Protocol. */
export type Mcp = Pick<typeof Server, 'McpServer' | 'fromJsonSchema'> &
  Pick<typeof Stdio, 'StdioServerTransport' | 'serveStdio'>;

export interface McpContext {
  /**
   * Performs an action of the simulator of the running `virgule dev`, which may have started after this server.
   *
   * @throws VirguleError `E_SIM_NOT_RUNNING`, `E_SIM_REQUEST`.
   */
  readonly act: (name: string, input: object) => Promise<unknown>;
  readonly planDeploy: () => Promise<unknown>;
}

const DEPLOY_PLAN = {
  name: 'deploy_plan',
  about:
    'Returns what `virgule deploy` would add, change and delete on the real platform; it needs the token and address of the bot, and applies nothing',
  reads: true,
  input: z.strictObject({}),
} as const;

const INSTRUCTIONS = `Tools for a bot on Virgule, a framework where each file in commands/ is a slash command. They work on the
running \`virgule dev\` of this folder: if there is none, start it in the background (\`npx virgule dev\`). After an edit it reloads
by itself; call "problems", then "run". Nothing here reaches the real platform, except "deploy_plan", which only reads it.
The documentation is Markdown in node_modules/virgule/dist/docs/.`;

/** Passes each input on: unlike the SDK, errors of zod name an unknown key, and the accepted values. */
const ANY_INPUT: Server.jsonSchemaValidator = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

export function createMcpServer(
  mcp: Pick<Mcp, 'McpServer' | 'fromJsonSchema'>,
  context: McpContext,
  redact: (text: string) => string,
) {
  const server = new mcp.McpServer({ name: 'virgule', version }, { instructions: INSTRUCTIONS });
  for (const { name, about, reads, input } of [...SIM_ACTIONS, DEPLOY_PLAN]) {
    server.registerTool(
      name,
      {
        description: `${about}.`,
        // The SDK accepts only schemas of newer versions of zod.
        inputSchema: mcp.fromJsonSchema(
          z.toJSONSchema(input, { io: 'input' }) as Parameters<Mcp['fromJsonSchema']>[0],
          ANY_INPUT,
        ),
        annotations: { readOnlyHint: reads },
      },
      async (value: unknown) => {
        try {
          const values = input.parse(value) as object;
          const result = name === 'deploy_plan' ? context.planDeploy() : context.act(name, values);
          return textResult(redact(JSON.stringify(await result, null, 2)));
        } catch (error) {
          return { ...textResult(redact(textOf(error))), isError: true };
        }
      },
    );
  }
  return server;
}

/** Maximum length of a result, in characters: agents read all of it. */
const MAX_LENGTH = 100_000;

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text: fitted(text) }] });

/** Shortens a text that is too long by its middle: the newest entry of a list is at the end. */
function fitted(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const half = MAX_LENGTH / 2;
  const left = `\n… ${text.length - MAX_LENGTH} characters are left out: ask for less …\n`;
  return text.slice(0, half) + left + text.slice(-half);
}

const textOf = (error: unknown): string => {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return isVirguleError(error) ? formatError(error) : errorText(error);
};

const importBoth = async (): Promise<Mcp> => ({
  ...(await import('@modelcontextprotocol/server')),
  ...(await import('@modelcontextprotocol/server/stdio')),
});

/**
 * Imports the SDK of the Model Context Protocol, an optional peer dependency that bots do not need.
 *
 * @throws VirguleError `E_MCP_MISSING` if the SDK is not installed.
 */
export async function importMcp(load: () => Promise<Mcp> = importBoth): Promise<Mcp> {
  try {
    return await load();
  } catch (cause) {
    if (errorCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw cliErrors.E_MCP_MISSING({}, { cause });
  }
}
