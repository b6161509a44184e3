import { formatError, isVirguleError } from '@virgule/core/errors';
import * as z from 'zod';
import { version } from '../terminal/version.js';
import { reasonOf } from '../trigger/sim-control.js';
import type { Mcp } from './import-mcp.js';
import type { McpContext, McpTool } from './mcp-tool.js';
import { ACTING_TOOLS } from './tools-that-act.js';
import { READING_TOOLS } from './tools-that-read.js';

const MCP_TOOLS: readonly McpTool[] = [...READING_TOOLS, ...ACTING_TOOLS];

const INSTRUCTIONS = `Tools for a bot on Virgule, a framework where each file in commands/ is a slash command. They work on the
running \`virgule dev\` of this folder: if there is none, start it in the background (\`npx virgule dev\`). After an edit it reloads
by itself; call "problems", then "run". Nothing here reaches the real platform, except "deploy_plan", which only reads it.
The documentation is Markdown in node_modules/virgule/dist/docs/.`;

export interface McpServerInput {
  readonly mcp: Pick<Mcp, 'McpServer' | 'fromJsonSchema'>;
  readonly context: McpContext;
  readonly redact: (text: string) => string;
}

/** Creates a server of the Model Context Protocol with all tools. */
export function createMcpServer({ mcp, context, redact }: McpServerInput) {
  const server = new mcp.McpServer({ name: 'virgule', version }, { instructions: INSTRUCTIONS });
  for (const tool of MCP_TOOLS) {
    const { name, description, isReading, input } = tool;
    server.registerTool(
      name,
      {
        description,
        // The SDK reads only schemas of newer versions of zod.
        inputSchema: mcp.fromJsonSchema(
          z.toJSONSchema(input, { io: 'input' }) as Parameters<Mcp['fromJsonSchema']>[0],
        ),
        annotations: { readOnlyHint: isReading },
      },
      async (value: unknown) => {
        try {
          const result = await tool.run(value, context);
          return textResult(redact(JSON.stringify(result, null, 2)));
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

/** Returns a text without its middle if it is too long: the newest of a list is at its end. */
function fitted(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const half = MAX_LENGTH / 2;
  const left = `\n… ${text.length - MAX_LENGTH} characters are left out: ask for less …\n`;
  return text.slice(0, half) + left + text.slice(-half);
}

const textOf = (error: unknown): string => {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return isVirguleError(error) ? formatError(error) : reasonOf(error);
};
