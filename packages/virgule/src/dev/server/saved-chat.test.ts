import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { startSimulator } from '@virgule/simulator';
import { beforeEach, describe, expect, it } from 'vitest';
import { forgetSavedChat, keepChat, readSavedChat, type SavedChatOptions } from './saved-chat.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'virgule-chat-'));
  mkdirSync(join(root, '.virgule'));
  return () => rmSync(root, { recursive: true, force: true });
});
const files = (): string[] => readdirSync(join(root, '.virgule'));

async function keep(options: Partial<SavedChatOptions> = {}) {
  const simulator = await startSimulator({ saved: readSavedChat(root) });
  const clock = createFakeClock();
  const troubles: string[] = [];
  const chat = keepChat({
    root,
    simulator,
    clock,
    onTrouble: (text) => troubles.push(text),
    ...options,
  });
  const close = async (): Promise<void> => {
    chat.close();
    await simulator.close();
  };
  return { simulator, clock, chat, troubles, [Symbol.asyncDispose]: close };
}

describe('keepChat', () => {
  it('brings back what was said at the last start', async () => {
    {
      await using first = await keep();
      expect(first.simulator.restored).toBe(false);
      first.simulator.sendMessage({ content: 'remember me' });
    }
    await using second = await keep();
    expect(second.simulator.restored).toBe(true);
    expect(second.simulator.messages().at(-1)?.content).toBe('remember me');
    expect(files()).toEqual(['chat.json']);
  });

  it('writes a second after a message, and once for many', async () => {
    let writes = 0;
    await using kept = await keep({ write: () => void (writes += 1) });
    for (let n = 0; n < 50; n += 1) kept.simulator.sendMessage({ content: `${n}` });
    await kept.clock.advance(999);
    expect(writes).toBe(0);
    await kept.clock.advance(1);
    expect(writes).toBe(1);
    kept.chat.close();
    expect(writes).toBe(1);
  });

  it('reports once that the disk is full, and the chat continues', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const write = (): never => {
      throw full;
    };
    await using kept = await keep({ write });
    for (const content of ['one', 'two']) {
      kept.simulator.sendMessage({ content });
      await kept.clock.advance(1_000);
    }
    expect(kept.troubles).toEqual([
      'The chat could not be saved: ENOSPC: no space left on device. Free disk space, or make .virgule/chat.json writable.',
    ]);
    expect(kept.simulator.messages().at(-1)?.content).toBe('two');
  });

  it('leaves nothing half-written behind', async () => {
    mkdirSync(join(root, '.virgule', 'chat.json'));
    await using kept = await keep();
    kept.simulator.sendMessage({ content: 'lost' });
    await kept.clock.advance(1_000);
    expect(kept.troubles).toHaveLength(1);
    expect(files()).toEqual(['chat.json']);
  });
});

describe('readSavedChat', () => {
  it('returns nothing when there is nothing, or nonsense', () => {
    expect(readSavedChat(root)).toBeUndefined();
    writeFileSync(join(root, '.virgule', 'chat.json'), '{ "v": 1,');
    expect(readSavedChat(root)).toBeUndefined();
  });

  it('returns nothing after it was deleted', async () => {
    {
      await using kept = await keep();
      kept.simulator.sendMessage({ content: 'x' });
    }
    expect(readFileSync(join(root, '.virgule', 'chat.json'), 'utf8')).toContain('"v":1');
    forgetSavedChat(root);
    forgetSavedChat(root);
    expect(readSavedChat(root)).toBeUndefined();
  });
});
