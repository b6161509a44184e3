import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { startSimulator } from '@virgule/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { createConversationFiles, createSnapshotFiles } from './snapshot-files.js';

it('createSnapshotFiles() keeps snapshots for the next run', async () => {
  const project = await createTestProject({});
  onTestFinished(() => project[Symbol.asyncDispose]());
  const snapshots = createSnapshotFiles(project.root);
  expect(snapshots.names()).toEqual([]);
  await using simulator = await startSimulator({ snapshots, pageDir: null });
  const save = (name: string) => simulator.act('snapshot', { action: 'save', name });
  simulator.sendMessage({ content: 'Saved' });
  await save('one');
  await save('one');
  expect(readdirSync(join(project.root, '.virgule/snapshots'))).toEqual(['one.jsonl']);

  await using again = await startSimulator({
    snapshots: createSnapshotFiles(project.root),
    pageDir: null,
  });
  await again.act('snapshot', { action: 'restore', name: 'one' });
  expect(again.messages().at(-1)?.content).toBe('Saved');
  snapshots.remove('one');
  expect(snapshots.read('one')).toBeUndefined();
});

it('createSnapshotFiles() lists only files that it could have written', async () => {
  const project = await createTestProject({});
  onTestFinished(() => project[Symbol.asyncDispose]());
  const folder = join(project.root, '.virgule/snapshots');
  mkdirSync(join(folder, 'folder.jsonl'), { recursive: true });
  for (const name of ['one', '\u001B[31mred', 'a\nb', '.hidden'])
    writeFileSync(join(folder, `${name}.jsonl`), '');
  expect(createSnapshotFiles(project.root).names()).toEqual(['one']);
});

it('createSnapshotFiles() refuses a name that a folder has', async () => {
  const project = await createTestProject({});
  onTestFinished(() => project[Symbol.asyncDispose]());
  mkdirSync(join(project.root, '.virgule/snapshots/folder.jsonl'), { recursive: true });
  const snapshots = createSnapshotFiles(project.root);
  await using simulator = await startSimulator({ port: null, snapshots, pageDir: null });
  const saved = simulator.act('snapshot', { action: 'save', name: 'folder' });
  await expect(saved).rejects.toThrow('The snapshot folder cannot be written');
});

it('createConversationFiles() keeps the target, the rights and the owner of a file', async () => {
  const project = await createTestProject({ 'shared.txt': 'old', 'conversations/x.txt': '' });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const shared = join(project.root, 'shared.txt');
  symlinkSync(shared, join(project.root, 'conversations/one.txt'));
  chmodSync(shared, 0o664);
  if (process.getuid?.() === 0) chownSync(shared, 1_000, 1_001);
  const { mode, uid, gid } = statSync(shared);
  createConversationFiles(project.root).write('one', 'new');
  expect(readFileSync(shared, 'utf8')).toBe('new');
  expect(statSync(shared)).toMatchObject({ mode, uid, gid });
});

it('createConversationFiles() writes a new file with the rights of any other', async () => {
  const project = await createTestProject({ 'other.txt': '' });
  onTestFinished(() => project[Symbol.asyncDispose]());
  createConversationFiles(project.root).write('one', 'new');
  const [one, other] = ['conversations/one.txt', 'other.txt'].map(
    (file) => statSync(join(project.root, file)).mode,
  );
  expect(one).toBe(other);
});

it('createConversationFiles() keeps the earlier text if the new one cannot be written', async () => {
  const project = await createTestProject({ 'conversations/one.txt': 'old' });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const conversations = createConversationFiles(project.root);
  const folder = join(project.root, 'conversations');
  const parts = ['one', 'two'].map((name) => join(folder, `${name}.txt.${process.pid}.new/x`));
  for (const part of parts) mkdirSync(part, { recursive: true });
  for (const name of ['one', 'two'])
    expect(() => conversations.write(name, 'new')).toThrow('EISDIR');
  expect([conversations.names(), conversations.read('one')]).toEqual([['one'], 'old']);
});
