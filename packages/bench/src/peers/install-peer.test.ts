import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DISCORD_JS, installPeer } from './install-peer.js';

describe('installPeer', () => {
  it('installs one exact version into a temporary folder of its own, and runs no scripts', async () => {
    const calls: (readonly string[])[] = [];
    const npm = async (args: readonly string[], folder: string): Promise<void> => {
      calls.push(args);
      // A folder without a manifest would be installed into the one above.
      expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toEqual({
        private: true,
      });
    };
    const first = await installPeer({ packages: ['some-library@1.2.3'], npm });
    const second = await installPeer({ packages: ['some-library@1.2.3'], npm });
    expect(first.folder.startsWith(tmpdir())).toBe(true);
    expect(second.folder).not.toBe(first.folder);
    for (const args of calls) {
      expect(args[0]).toBe('install');
      expect(args.at(-1)).toBe('some-library@1.2.3');
      expect(args).toContain('--ignore-scripts');
    }
    for (const { folder, close } of [first, second]) {
      await close();
      expect(existsSync(folder)).toBe(false);
    }
  });

  it('leaves nothing behind when npm fails', async () => {
    let left = '';
    const npm = async (_args: readonly string[], folder: string): Promise<void> => {
      left = folder;
      throw new Error('no network');
    };
    await expect(installPeer({ packages: ['some-library@1.2.3'], npm })).rejects.toThrow(
      'no network',
    );
    expect(left).not.toBe('');
    expect(existsSync(left)).toBe(false);
  });

  it('takes discord.js at an exact version', () => {
    expect(DISCORD_JS.version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
