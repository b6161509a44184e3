import { createFakeClock } from '@virgule/core/clock';
import { expect, it } from 'vitest';
import type { SimControl } from '../trigger/sim-control.js';
import { createMcpServer } from './create-mcp-server.js';
import type { Mcp } from './import-mcp.js';

type Handler = (input: unknown) => Promise<{
  readonly content: readonly { readonly text: string }[];
}>;

/** Returns what a tool answers an agent. */
async function callTool(tool: string, input: object, control: Partial<SimControl>) {
  const tools = new Map<string, Handler>();
  class McpServer {
    registerTool(name: string, _about: object, handler: Handler): void {
      tools.set(name, handler);
    }
  }
  createMcpServer({
    // The part of the SDK that it uses.
    mcp: { McpServer, fromJsonSchema: () => ({}) } as unknown as Mcp,
    context: {
      control: control as SimControl,
      clock: createFakeClock(),
      planDeploy: () => Promise.resolve({}),
    },
    redact: (text) => text,
  });
  const result = await tools.get(tool)?.(input);
  return result?.content[0]?.text ?? '';
}

it.each([
  ['world', {}],
  ['messages', {}],
  ['trace', { id: 'i' }],
])('answers %s with at most 100,000 characters and a note', async (tool, input) => {
  const many = Array.from({ length: 2_000 }, (_, n) => ({
    id: `${n}`,
    username: 'x'.repeat(99),
    role: 'owner',
  }));
  const text = await callTool(tool, input, {
    snapshot: () =>
      Promise.resolve({
        servers: [],
        channels: [{ id: 'c', name: 'general', type: 'text' }],
        users: many,
        roles: [],
      } as never),
    messages: () =>
      Promise.resolve(
        many.map(({ id, username: content }) => ({ id, content, attachments: [], reactions: [] })),
      ) as never,
    get: (path) =>
      Promise.resolve(
        path.startsWith('/_sim/trace?')
          ? { rows: many.map(({ username: what }) => ({ what, group: 'i', atMs: 0 })) }
          : { sections: [] },
      ) as never,
  });
  expect(text.length).toBeLessThan(100_100);
  expect(text).toMatch(/… \d+ characters are left out: ask for less …/);
  expect(text.slice(-500)).toMatch(/x{99}/);
});
