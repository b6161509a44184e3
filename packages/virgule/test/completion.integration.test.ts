import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { CLI_COMMANDS, run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';

async function scriptOf(shell: string): Promise<string> {
  const io = createTestIo({ cwd: '/' });
  expect(await run(['completion', shell], io)).toBe(0);
  return io.out;
}

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
    const script = await scriptOf('bash');
    expect(bashProposes(script, 'virgule de')).toEqual(['dev', 'deploy', 'dead']);
    expect(bashProposes(script, 'virgule help dep')).toEqual(['deploy']);
    expect(bashProposes(script, 'virgule deploy --dr')).toEqual(['--dry-run']);
    expect(bashProposes(script, 'virgule new ')).toEqual(
      expect.arrayContaining(['command', 'event', '--cwd', '--help']),
    );
  });

  it.each(['zsh', 'fish'])('has every command and its flags for %s', async (shell) => {
    const script = await scriptOf(shell);
    for (const name of Object.keys(CLI_COMMANDS)) expect(script).toContain(name);
    expect(script).toMatch(/dry-run/);
    // Each quote of a text is closed.
    for (const line of script.split('\n'))
      expect(line.replaceAll(String.raw`'\''`, '').split("'").length % 2).toBe(1);
    const { error, status, stderr } = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' });
    // Checked by the shell itself where it is installed.
    expect(error ? 'not installed' : { status, stderr }).toEqual(
      error ? 'not installed' : { status: 0, stderr: '' },
    );
  });

  it('refuses another shell', async () => {
    const io = createTestIo({ cwd: '/' });
    expect(await run(['completion', 'powershell'], io)).toBe(1);
    expect(io.err).toContain('takes bash, zsh, fish, saw powershell');
  });
});
