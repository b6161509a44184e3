import { SIM_ACTIONS } from '@virgule/simulator/control';
import { expect, it } from 'vitest';
import { createMcpServer } from './create-mcp-server.js';
import type { Mcp } from './create-mcp-server.js';

type Handler = (input: unknown) => Promise<{
  readonly content: readonly { readonly text: string }[];
}>;

/** Returns the tools of a server whose simulator returns one result. */
function openTools(result: unknown): ReadonlyMap<string, Handler> {
  const tools = new Map<string, Handler>();
  class McpServer {
    registerTool(name: string, _about: object, handler: Handler): void {
      tools.set(name, handler);
    }
  }
  createMcpServer(
    // The part of the SDK that it uses.
    { McpServer, fromJsonSchema: () => ({}) } as unknown as Mcp,
    { act: async () => result, planDeploy: async () => ({}) },
    (text) => text,
  );
  return tools;
}

it('has a tool for each action, and one for the plan of a deploy', () => {
  const names = SIM_ACTIONS.map(({ name }) => name);
  expect([...openTools({}).keys()]).toEqual([...names, 'deploy_plan']);
});

it('answers with at most 100,000 characters and a note', async () => {
  const users = Array.from({ length: 2_000 }, (_, id) => ({ id, username: 'x'.repeat(99) }));
  const result = await openTools({ users }).get('world')?.({});
  const text = result?.content[0]?.text ?? '';
  expect(text.length).toBeLessThan(100_100);
  expect(text).toMatch(/… \d+ characters are left out: ask for less …/);
  expect(text.slice(-500)).toMatch(/x{99}/);
});
