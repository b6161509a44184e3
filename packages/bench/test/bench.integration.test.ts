import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

// As it was built, like everything that runs in a process of its own.
const program = fileURLToPath(new URL('../dist/bin/bench.js', import.meta.url));

const bench = (...args: string[]) => promisify(execFile)(process.execPath, [program, ...args]);

describe('npm run bench', () => {
  it('measures what it is asked for, and prints it as JSON', async () => {
    const { stdout, stderr } = await bench('--only', 'storm', '--quick', '--rounds', '1', '--json');
    const comparison = { missed: expect.any(Array), values: { totalSeconds: expect.any(Number) } };
    expect(JSON.parse(stdout)).toMatchObject({
      rounds: 1,
      machine: expect.stringContaining(process.versions.node),
      results: [
        {
          title: 'Rate limits: 2,000 messages at once',
          comparisons: [
            { name: 'in theory', ...comparison },
            {
              name: '@virgule/client',
              ...comparison,
              ratios: { totalSeconds: { median: expect.any(Number) } },
            },
          ],
        },
      ],
    });
    expect(stderr).toContain('round 1 of 1');
  });

  it('reports invalid arguments', async () => {
    await expect(bench('--only', 'everything')).rejects.toThrow(
      '--only takes a comma-separated list of commands,',
    );
  });
});
