import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorText } from '@virgule/core/errors';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestBot } from '../src/testing.js';
import { buildElsewhere, envOf, soon, startBuilt } from './built-bot.js';
import { BUGS, filesOf, SECRET } from './failed-bugs.js';
import { createTestProject } from './test-project.js';

const PACKAGES = fileURLToPath(new URL('../../runtime/node_modules', import.meta.url));
const LETTERS = 'bcdfghjklm';

/** Words of users, which no other text contains. */
const WORDS = Array.from({ length: 200 }, (_, index) => {
  const digits = String(index).padStart(3, '0');
  return `qv${digits.replaceAll(/\d/g, (digit) => LETTERS[Number(digit)] ?? '')}zu`;
});

/** Provokes all bugs of a built bot, and writes their tests. */
async function provoke(env: Readonly<Record<string, string>>) {
  const folder = await buildElsewhere(filesOf(false));
  await symlink(PACKAGES, join(folder, 'node_modules'));
  const platform = await startSimulator({ pageDir: null });
  onTestFinished(() => platform.close());
  const variables = { ...envOf(platform), ...env, API_KEY: SECRET };
  async function virgule(...argv: string[]): Promise<string> {
    const { child, ended, output } = startBuilt(folder, variables, argv);
    let printed = '';
    child.stdout.on('data', (chunk) => (printed += String(chunk)));
    expect({ code: await ended, output: output() }).toMatchObject({ code: 0 });
    // Without the warning on standard error.
    return printed;
  }

  let used = 0;
  const word = (): string => WORDS[used++ % WORDS.length] ?? '';
  const stored = {
    [`points:${platform.channel().id}`]: { name: word(), key: SECRET },
    'note:a': word(),
    'note:b': { [word()]: word() },
    'note:c': word(),
    grow: Array.from({ length: 100 }, word),
    pair: ['same', 'same'],
  };
  for (const [key, value] of Object.entries(stored))
    await virgule('storage', 'set', key, JSON.stringify(value));
  const bot = startBuilt(folder, variables, ['--sync']);
  await soon(() => expect(platform.snapshot().bot.connected).toBe(true));
  platform.setFaults({
    rules: (['messages.list', 'servers.channels'] as const).map((request) => ({
      name: request,
      on: { request },
      do: { type: 'status', status: 501 },
    })),
  });
  for (const { lines } of BUGS)
    for (const line of lines) {
      const text = line.replaceAll('WORD', word);
      const attachments = [{ name: `${word()}.png`, data: word() }];
      if (text.startsWith('/')) platform.run({ rawInput: text });
      else platform.sendMessage({ content: text, attachments });
    }
  for (const { file } of BUGS) {
    const name = file.startsWith('events/') ? file : `/${/\w+(?=\.ts)/.exec(file)?.[0] ?? ''}`;
    await soon(() => expect(bot.output()).toContain(`${name} failed`));
  }
  const files = new Map<string, string>();
  type Failure = { readonly id: string; readonly name: string };
  async function list(): Promise<readonly Failure[]> {
    const printed = await virgule('failed', 'list', '--json');
    return printed.split('\n').flatMap((line) => (line ? (JSON.parse(line) as Failure) : []));
  }
  // The end of a bot waits for records only for a second, in which a busy machine does not store all of them.
  await soon(async () =>
    expect(new Set((await list()).map(({ name }) => name)).size).toBe(BUGS.length),
  );
  bot.child.kill('SIGTERM');
  await bot.ended;
  for (const { id, name } of await list()) {
    if (files.has(name)) continue;
    const file = join(folder, `${id}.json`);
    await writeFile(file, await virgule('failed', 'test', id));
    files.set(name, file);
  }
  return { files, platform };
}

async function replay(root: string, failed: string): Promise<string> {
  await using bot = await createTestBot({ root, failed });
  const { error, result } = await bot.replay();
  return error === undefined ? result : errorText(error);
}

/** Returns the names of failures whose test fails with the bug, and passes after the fix. */
async function redNames(files: ReadonlyMap<string, string>): Promise<readonly string[]> {
  await using broken = await createTestProject(filesOf(false));
  await using fixed = await createTestProject(filesOf(true));
  const red: string[] = [];
  for (const [name, file] of files) {
    const outcomes = [await replay(broken.root, file), await replay(fixed.root, file)];
    if (outcomes[0] !== 'ok' && outcomes[1] === 'ok') red.push(name);
  }
  return red;
}

describe('tests of failures of a built bot', () => {
  it('fail with 20 bugs, and pass after the fix, if text is kept', async () => {
    const { files } = await provoke({ KEEP: '1' });
    expect(files.size).toBe(20);
    expect((await redNames(files)).length).toBeGreaterThanOrEqual(18);
  });

  it('fail with most bugs if text is replaced, and contain no word, id or secret', async () => {
    const { files, platform } = await provoke({});
    expect(files.size).toBe(20);
    expect((await redNames(files)).length).toBeGreaterThanOrEqual(14);
    const { users, channels, servers } = platform.snapshot();
    const ids = [...users, ...channels, ...servers].map(({ id }) => id);
    for (const file of files.values()) {
      const text = (await readFile(file, 'utf8')).toLowerCase();
      const secrets = [...WORDS, ...ids, SECRET, platform.token.toLowerCase()];
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });
});
