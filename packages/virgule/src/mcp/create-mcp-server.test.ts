import { SIM_ACTIONS } from '@virgule/simulator/control';
import { expect, it } from 'vitest';
import { createMcpServer } from './create-mcp-server.js';
import type { Mcp } from './create-mcp-server.js';

type Handler = (input: unknown) => Promise<{
  readonly content: readonly { readonly text: string }[];
}>;

interface Tool {
  readonly handler: Handler;
  readonly annotations: { readonly readOnlyHint: boolean };
}

/** Returns the tools of a server whose simulator returns one result. */
function openTools(result: unknown): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>();
  class McpServer {
    registerTool(name: string, about: Pick<Tool, 'annotations'>, handler: Handler): void {
      tools.set(name, { ...about, handler });
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

it('has only names that APIs of models accept', () => {
  for (const name of openTools({}).keys()) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});

it('marks the tools that change nothing, and no other ones, as read-only', () => {
  const tools = openTools({});
  const isReadOnly = (name: string) => tools.get(name)?.annotations.readOnlyHint;
  for (const { name, reads } of SIM_ACTIONS)
    expect([name, isReadOnly(name)]).toEqual([name, reads]);
  const known = ['world', 'messages', 'deploy_plan', 'run', 'reset', 'task'];
  expect(known.map(isReadOnly)).toEqual([true, true, true, false, false, false]);
});

it('answers with at most 100,000 characters and a note', async () => {
  const users = Array.from({ length: 2_000 }, (_, id) => ({ id, username: 'x'.repeat(99) }));
  const result = await openTools({ users }).get('world')?.handler({});
  const text = result?.content[0]?.text ?? '';
  expect(text.length).toBeLessThan(100_100);
  expect(text).toMatch(/… \d+ characters are left out: ask for less …/);
  expect(text.slice(-500)).toMatch(/x{99}/);
});
