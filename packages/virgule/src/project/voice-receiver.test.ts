import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openVoiceReceiver } from './voice-receiver.js';

/** Returns a project that has a package of this name, with these exports. */
function projectWith(exports: object): string {
  const root = mkdtempSync(join(tmpdir(), 'bot-'));
  const folder = join(root, 'node_modules/@virgule/voice');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', exports }));
  const code = `export const createReceiver = async () => ({ accept: async () => 'accepted' });`;
  writeFileSync(join(folder, 'receiver.js'), code);
  return root;
}

describe('openVoiceReceiver', () => {
  it('returns the receiver of the package that the project has', async () => {
    const root = projectWith({ './receiver': { default: './receiver.js' } });
    expect(await (await openVoiceReceiver(root))?.accept('v=0')).toBe('accepted');
  });

  // Not an empty project: pnpm sets NODE_PATH, through which tests would find the package of this repository.
  it('returns nothing if the project has none', async () => {
    expect(await openVoiceReceiver(projectWith({ '.': './receiver.js' }))).toBeUndefined();
  });
});
