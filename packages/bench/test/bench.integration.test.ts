import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

// As it was built, like everything that runs in a process of its own.
const program = fileURLToPath(new URL('../dist/bin/bench.js', import.meta.url));

const bench = (...args: string[]) => promisify(execFile)(process.execPath, [program, ...args]);

describe('npm run bench', () => {
  it('measures what it is asked for, and prints it as JSON', async () => {
    const { stdout, stderr } = await bench(
      '--only',
      'memory',
      '--quick',
      '--rounds',
      '1',
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      rounds: 1,
      machine: expect.stringContaining(process.versions.node),
      results: [
        {
          title: 'Memory of open interactions',
          comparisons: [
            { name: 'by hand', missed: [], values: { heapBytesEach: expect.any(Number) } },
            { name: '@virgule/client', missed: [] },
            {
              name: 'virgule',
              missed: [],
              ratios: { heapBytesEach: { median: expect.any(Number) } },
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
