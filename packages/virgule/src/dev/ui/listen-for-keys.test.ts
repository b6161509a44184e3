import { describe, expect, it, vi } from 'vitest';
import { createTestIo } from '../../../test/test-io.js';
import { listenForKeys, type ListenForKeysOptions } from './listen-for-keys.js';

const LIVE = {
  token: 't',
  baseUrl: 'https://chat.example.com',
  gatewayUrl: 'wss://chat.example.com',
};

function listen(options: Partial<ListenForKeysOptions> = {}) {
  const io = createTestIo({ cwd: '/project', interactive: true });
  const did: string[] = [];
  const keys = listenForKeys({
    io,
    server: {
      restart: (reason) => did.push(`restart: ${reason}`),
      plan: () => did.push('plan'),
    },
    output: {
      open: async (page) => void did.push(`open ${page}`),
      write: (text) => void did.push(text),
    },
    page: 'http://127.0.0.1:7300/',
    quit: () => did.push('quit'),
    ...options,
  });
  return { io, did, keys };
}

describe('the keys of virgule dev', () => {
  it('restart, open, clear and quit; Caps Lock and Enter make no difference', () => {
    const { io, did } = listen();
    io.press('r\rO\nc');
    io.press('q');
    expect(did).toEqual([
      'restart: manual',
      'open http://127.0.0.1:7300/',
      '\u001B[2J\u001B[3J\u001B[H',
      'quit',
    ]);
  });

  it('help with h, a line for each key that does something here', () => {
    const { io, did } = listen();
    io.press('h');
    expect(did[0]).toMatch(/^ {2}o {2}opens the chat page/m);
    expect(did[0]).not.toContain('deploy');
    const live = listen({ connection: LIVE });
    live.io.press('h');
    expect(live.did[0]).toMatch(/^ {2}d {2}shows the plan of a deploy/m);
    expect(live.did[0]).not.toContain('chat page');
  });

  it('do nothing that has no meaning here: d on a simulator, o on a real platform', () => {
    const { io, did } = listen();
    io.press('dxyz ');
    expect(did).toEqual([]);
    const live = listen({ connection: LIVE });
    live.io.press('o');
    expect(live.did).toEqual([]);
  });

  it("deploy with d: the keys are the questions' meanwhile, and the plan is looked at again", async () => {
    let end: () => void = () => {};
    const deploy = vi.fn<NonNullable<ListenForKeysOptions['deploy']>>(
      () => new Promise((resolve) => (end = resolve)),
    );
    const { io, did } = listen({ connection: LIVE, deploy });
    io.press('d');
    expect(deploy).toHaveBeenCalledExactlyOnceWith(io, LIVE);
    expect(io.listensForKeys).toBe(false);
    end();
    await vi.waitFor(() => expect(did).toEqual(['plan']));
    expect(io.listensForKeys).toBe(true);
  });

  it('are let go at the end', () => {
    const { io, keys } = listen();
    keys[Symbol.dispose]();
    expect(io.listensForKeys).toBe(false);
  });
});
