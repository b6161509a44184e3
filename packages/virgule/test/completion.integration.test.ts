import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';

/** Returns the proposals of a shell for a line, whose last word is being typed. */
function bashProposes(script: string, line: string): string[] {
  const words = line.split(' ');
  const { stdout, stderr } = spawnSync('bash', ['--norc', '--noprofile'], {
    input: `${script}\nCOMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')})
COMP_CWORD=${words.length - 1}\n_virgule\nprintf '%s\\n' "\${COMPREPLY[@]}"\n`,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

describe('virgule completion', () => {
  it('completes commands, flags and kinds in bash', async () => {
    const io = createTestIo({ cwd: '/' });
    expect(await run(['completion', 'bash'], io)).toBe(0);
    const script = io.out;
    expect(bashProposes(script, 'virgule de')).toEqual(['dev', 'deploy', 'dead']);
    expect(bashProposes(script, 'virgule help dep')).toEqual(['deploy']);
    expect(bashProposes(script, 'virgule deploy --dr')).toEqual(['--dry-run']);
    expect(bashProposes(script, 'virgule new ')).toEqual(
      expect.arrayContaining(['command', 'event', '--cwd', '--help']),
    );
  });

  it('refuses another shell', async () => {
    const io = createTestIo({ cwd: '/' });
    expect(await run(['completion', 'powershell'], io)).toBe(1);
    expect(io.err).toContain('takes bash, saw powershell');
  });
});
