import { PROFILES, resolveProfile } from '@virgule/core/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';
import { createTestProject } from './test-project.js';
import { until } from './until.js';

describe('--profile', () => {
  it('starts the simulator with the assumptions of that name', async () => {
    const io = createTestIo({ cwd: import.meta.dirname });
    const code = run(['simulator', '--port', '0', '--json', '--profile', 'renamed'], io);
    await until(() => expect(io.out).toMatch(/\n$/));
    const { baseUrl } = JSON.parse(io.out) as { readonly baseUrl: string };
    const state = (await (await fetch(`${baseUrl}/_sim/state`)).json()) as object;
    expect(state).toMatchObject({ profile: resolveProfile(PROFILES.renamed) });
    io.stop();
    expect(await code).toBe(0);
  });

  it('is the measured platform of the folder by default', async () => {
    const project = await createTestProject({
      'platform.json': JSON.stringify({ pageMax: 7, measured: { facts: {} } }),
    });
    onTestFinished(() => project[Symbol.asyncDispose]());
    for (const [flags, profile] of [
      [[], resolveProfile({ pageMax: 7 })],
      [['--profile', 'terse'], resolveProfile(PROFILES.terse)],
    ] as const) {
      const io = createTestIo({ cwd: project.root });
      const code = run(['simulator', '--port', '0', '--json', ...flags], io);
      await until(() => expect(io.out).toMatch(/\n$/));
      const { baseUrl } = JSON.parse(io.out) as { readonly baseUrl: string };
      const state = (await (await fetch(`${baseUrl}/_sim/state`)).json()) as object;
      expect(state).toMatchObject({ profile });
      io.stop();
      expect(await code).toBe(0);
    }
  });

  it.each([
    ['a cut file', '{ "pageMax": 7, "measu', 'profile in platform.json must be an object'],
    ['a wrong value', '{ "pageMax": "7" }', 'profile.pageMax in platform.json must be a number'],
    [
      'a wrong word',
      '{ "messageResponse": "foo" }',
      'profile.messageResponse in platform.json must be one of message, empty, id, unknown-fields, saw "foo"',
    ],
    ['a wrong name', '{ "pageMaxx": 7 }', 'platform.json has an unknown key "profile.pageMaxx"'],
  ])('refuses %s', async (_, text, message) => {
    const project = await createTestProject({ 'platform.json': text });
    onTestFinished(() => project[Symbol.asyncDispose]());
    for (const command of ['simulator', 'dev']) {
      const io = createTestIo({ cwd: project.root });
      expect(await run([command, '--port', '0'], io)).toBe(1);
      expect(io.err).toContain(message);
    }
  });

  it.each(['simulator', 'dev'])('of %s has to be a name', async (command) => {
    const io = createTestIo({ cwd: import.meta.dirname });
    expect(await run([command, '--profile', 'toString'], io)).toBe(1);
    expect(io.err).toContain('[E_ARGUMENTS]');
    expect(io.err).toContain('one of default, terse, renamed, hasty');
  });
});
