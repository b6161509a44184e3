import { defineCliCommand } from '../terminal/command.js';

export const mcp = defineCliCommand({
  name: 'mcp',
  words: '',
  about: 'Serve tools for coding agents over the Model Context Protocol',
  flags: {},
  examples: ['virgule mcp', 'virgule mcp --cwd my-bot'],
  exits: { 0: 'the client ended the connection', 1: 'the MCP SDK is not installed' },
  run: async (_args, io) => (await import('../mcp/serve-mcp.js')).serveMcp(io),
});
