import { execFileSync } from 'node:child_process';
import { expect, it, vi } from 'vitest';
import { startDev } from './running-dev.js';

const ROUNDS = 30;
const COMMANDS = Array.from({ length: 20 }, (_, index) => `command${index}`);

const described = (branch: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    COMMANDS.map((name) => [
      `commands/${name}.ts`,
      `export default { description: '${branch}', run: () => '${name} of ${branch}' };\n`,
    ]),
  );

it('answers with the files of the branch that was checked out, round after round', async () => {
  await using dev = await startDev(described('main'));
  const { project } = dev;
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    execFileSync('git', [...identity, ...args], { cwd: project.root, stdio: 'pipe' });
  };
  git('init', '--quiet', '--initial-branch=main');
  git('add', 'commands');
  git('commit', '--quiet', '--message=main');
  git('checkout', '--quiet', '-b', 'another');
  for (const [file, text] of Object.entries(described('another'))) await project.write(file, text);
  git('commit', '--quiet', '--all', '--message=another');

  for (let round = 0; round < ROUNDS; round += 1) {
    const branch = round % 2 === 0 ? 'main' : 'another';
    git('checkout', '--quiet', branch);
    await vi.waitFor(
      async () => {
        const { commands } = await dev.get('/_sim/world');
        const stale = commands.filter(({ description }: Description) => description !== branch);
        expect(
          stale.map(({ name }: Description) => name),
          `stale in round ${round}`,
        ).toEqual([]);
        expect(commands).toHaveLength(COMMANDS.length);
      },
      { timeout: 60_000, interval: 20 },
    );
  }
});

interface Description {
  readonly name: string;
  readonly description: string;
}
