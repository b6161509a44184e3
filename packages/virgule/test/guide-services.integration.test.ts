import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestBot } from '../src/testing/create-test-bot.js';
import { samplesOf } from './guide-samples.js';
import { createTestProject, type TestProject } from './test-project.js';
import { BOT_TSCONFIG, declareTypes, typeCheck } from './type-check.js';

/** Files that the samples import and the guide does not show. */
const SONGS = `
export interface Songs {
  readonly count: number;
  find(title: string): string | undefined;
  disconnect(): void;
}
export async function openSongs(address: string): Promise<Songs> {
  const titles = ['Blue Monday at ' + new URL(address).host];
  return { count: titles.length, find: (title) => titles.find((one) => one.includes(title)), disconnect() {} };
}
`;
const ENV = { SONGS_URL: 'https://songs.example.com', SONGS_KEY: 'made-up-key' };

/** The pages on configuration and services make one bot together. */
describe('the guide on configuration and services', () => {
  let project: TestProject;
  const samples = { ...samplesOf('configuration'), ...samplesOf('services') };

  beforeAll(async () => {
    project = await createTestProject({
      ...samples,
      'lib/songs.ts': SONGS,
      'tsconfig.json': JSON.stringify({
        ...JSON.parse(BOT_TSCONFIG),
        include: ['**/*.ts', '.virgule/types.d.ts'],
      }),
    });
    declareTypes(project.root, Object.keys(samples));
  });
  afterAll(() => project[Symbol.asyncDispose]());

  it('shows whole files', () => {
    expect(Object.keys(samples).sort()).toEqual([
      'commands/_middleware.ts',
      'commands/count.ts',
      'commands/find.ts',
      'commands/limit.ts',
      'lib/poll.ts',
      'services.ts',
      'tests/find.test.ts',
      'virgule.config.ts',
    ]);
  });

  it('has samples that compile', async () => {
    await project.write(
      'tests/find.test.ts',
      samples['tests/find.test.ts']?.replace("'vitest'", "'./vitest.js'") ?? '',
    );
    await project.write(
      'tests/vitest.d.ts',
      'export declare function it(name: string, run: () => Promise<void>): void;\nexport declare function expect(value: unknown): { toBe(value: unknown): void };',
    );
    expect(await typeCheck(project.root)).toEqual({ code: 0, output: '' });
  });

  it('has samples that answer as it says', async () => {
    await using bot = await createTestBot({ root: project.root, env: ENV });
    expect((await bot.run('/limit')).content).toBe('At most 5.');
    expect((await bot.run('/find Blue')).content).toBe('Blue Monday at songs.example.com');
    expect((await bot.run('/find red')).content).toBe('There is no such song.');
    expect((await bot.run('/count')).content).toBe('Number 4.');
  });

  it('has a test that holds', async () => {
    await using bot = await createTestBot({
      root: project.root,
      services: {
        songs: { count: 0, find: () => undefined, disconnect() {} },
        requests: new Map(),
      },
      env: ENV,
    });
    expect((await bot.run('/find blue')).content).toBe('There is no such song.');
  });

  it('keeps the settings it shows: the variables are needed', async () => {
    await expect(createTestBot({ root: project.root, env: {} })).rejects.toMatchObject({
      problems: [
        { message: 'The environment variable SONGS_URL (Address of the song list) is not set.' },
        { message: 'The environment variable SONGS_KEY is not set.' },
      ],
    });
  });
});
