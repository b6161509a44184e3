import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { beforeEach, describe, expect, it } from 'vitest';
import { forgetSavedChat, keepChat, readSavedChat, type SavedChatOptions } from './saved-chat.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'virgule-chat-'));
  mkdirSync(join(root, '.virgule'));
  return () => rmSync(root, { recursive: true, force: true });
});
const file = (): string => join(root, '.virgule', 'chat.jsonl');
const files = (): string[] => readdirSync(join(root, '.virgule')).toSorted();
const text = (): string => readFileSync(file(), 'utf8');
const contents = (simulator: Simulator): string[] =>
  simulator.messages().map(({ content }) => content);
const last = (simulator: Simulator): string | undefined => contents(simulator).at(-1);

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
  it('keeps a copy of a chat that cannot be read, and says so', async () => {
    const damaged = '{"half of a line\n';
    writeFileSync(file(), damaged);
    await using chat = await keep();
    expect(chat.troubles).toEqual([expect.stringContaining('chat.unreadable.jsonl')]);
    chat.simulator.sendMessage({ content: 'new' });
    await chat.clock.advance(50);
    expect(files()).toEqual(['chat.jsonl', 'chat.unreadable.jsonl']);
    expect(readFileSync(join(root, '.virgule/chat.unreadable.jsonl'), 'utf8')).toBe(damaged);
  });

  it('brings back what was said at the last start', async () => {
    {
      await using first = await keep();
      expect(first.simulator.restored).toBe(false);
      first.simulator.sendMessage({ content: 'remember me' });
    }
    await using second = await keep();
    expect(second.simulator.restored).toBe(true);
    expect(last(second.simulator)).toBe('remember me');
    expect(files()).toEqual(['chat.jsonl']);
  });

  it('keeps what a reset left', async () => {
    {
      await using first = await keep();
      first.simulator.sendMessage({ content: 'forget me' });
      await first.clock.advance(60);
      first.simulator.reset();
      await first.clock.advance(200);
      expect(text()).not.toContain('forget me');
      first.simulator.sendMessage({ content: 'remember me' });
      await first.clock.advance(200);
      first.simulator.sendMessage({ content: 'forget me too' });
      first.simulator.reset();
      first.simulator.sendMessage({ content: 'the last one' });
    }
    await using second = await keep();
    expect(contents(second.simulator)).toEqual([
      'Welcome to the sandbox. Type / to run a command.',
      'the last one',
    ]);
  });

  it('writes within 200 ms, and only what is new', async () => {
    await using kept = await keep();
    await kept.clock.advance(10_000);
    expect(files()).toEqual([]);
    kept.simulator.sendMessage({ content: 'first' });
    await kept.clock.advance(200);
    const before = text();
    expect(before).toContain('first');
    for (let n = 0; n < 50; n += 1) kept.simulator.sendMessage({ content: `many ${n}` });
    await kept.clock.advance(200);
    expect(text().startsWith(before)).toBe(true);
    expect(
      text()
        .slice(before.length)
        .match(/many \d+/g),
    ).toHaveLength(50);
  });

  it('truncates the file of the last run, also after an incomplete line', async () => {
    {
      await using first = await keep();
      const { id } = first.simulator.sendMessage({ content: 'first' });
      await first.clock.advance(200);
      for (let n = 0; n < 50; n += 1)
        first.simulator.react({ messageId: id, emoji: '🎉', remove: n % 2 === 1 });
    }
    writeFileSync(file(), `${text()}{"type":"message.cre`);
    const before = text().length;
    {
      await using second = await keep();
      await second.clock.advance(200);
      expect(text().length).toBeLessThan(before - 5_000);
      second.simulator.sendMessage({ content: 'second' });
    }
    await using third = await keep();
    expect(contents(third.simulator).slice(-2)).toEqual(['first', 'second']);
  });

  it('replaces a file that grew, while changes continue', async () => {
    await using kept = await keep({ growthBytes: 400_000 });
    const { simulator, clock } = kept;
    const { id } = simulator.sendMessage({ content: 'x'.repeat(1_999) });
    let size = 0;
    let isSmaller = false;
    for (let n = 0; n < 1_000 && !isSmaller; n += 1) {
      // Few messages, many changes.
      simulator.react({ messageId: id, emoji: '🎉', remove: n % 2 === 1 });
      if (n % 10 === 0) simulator.sendMessage({ content: 'y'.repeat(1_999) });
      await clock.advance(n % 3 === 0 ? 50 : 1);
      const now = existsSync(file()) ? statSync(file()).size : 0;
      if (now < size) isSmaller = true;
      size = now;
    }
    expect(isSmaller).toBe(true);
    simulator.sendMessage({ content: 'last' });
    await clock.advance(1_000);
    expect(files()).toEqual(['chat.jsonl']);
    const again = await startSimulator({ saved: readSavedChat(root) });
    expect(again.messages()).toEqual(simulator.messages());
    await again.close();
  });

  it('begins again when its file is deleted', async () => {
    await using kept = await keep();
    kept.simulator.sendMessage({ content: 'one' });
    await kept.clock.advance(200);
    rmSync(join(root, '.virgule'), { recursive: true });
    kept.simulator.sendMessage({ content: 'two' });
    await kept.clock.advance(200);
    await using again = await keep();
    expect(contents(again.simulator).slice(-2)).toEqual(['one', 'two']);
    expect(kept.troubles).toEqual([]);
  });

  it('reports once for each outage that it cannot be written, and keeps the chat once it can', async () => {
    mkdirSync(file());
    await using kept = await keep();
    for (const content of ['one', 'two']) {
      kept.simulator.sendMessage({ content });
      await kept.clock.advance(1_000);
    }
    expect(kept.troubles).toEqual([
      expect.stringMatching(
        /^The chat could not be saved: E(ISDIR|EXIST|PERM)\b.*\. Free disk space, or make \.virgule.chat\.jsonl writable\.$/,
      ),
    ]);
    expect(files()).toEqual(['chat.jsonl']);
    rmSync(file(), { recursive: true });
    await kept.clock.advance(2_000);
    await using again = await keep();
    expect(contents(again.simulator).slice(-2)).toEqual(['one', 'two']);
    rmSync(file());
    mkdirSync(file());
    kept.simulator.sendMessage({ content: 'three' });
    await kept.clock.advance(1_000);
    expect(kept.troubles).toHaveLength(2);
  });
});

describe('readSavedChat', () => {
  it('returns nothing when there is nothing', () => {
    expect(readSavedChat(root)).toBeUndefined();
  });

  it('returns nothing after it was deleted', async () => {
    {
      await using kept = await keep();
      kept.simulator.sendMessage({ content: 'x' });
    }
    forgetSavedChat(root);
    forgetSavedChat(root);
    expect([readSavedChat(root), files()]).toEqual([undefined, []]);
  });

  it('returns what is of no use, and the next message replaces it', async () => {
    writeFileSync(file(), '{ "v": 1,');
    await using kept = await keep();
    expect(kept.simulator.restored).toBe(false);
    kept.simulator.sendMessage({ content: 'x' });
    await kept.clock.advance(200);
    await using again = await keep();
    expect(last(again.simulator)).toBe('x');
  });
});
