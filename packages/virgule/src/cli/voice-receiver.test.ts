import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openVoiceReceiver } from './voice-receiver.js';

describe('openVoiceReceiver', () => {
  it('returns nothing for a project without @virgule/voice', async () => {
    expect(await openVoiceReceiver(mkdtempSync(join(tmpdir(), 'bot-')))).toBeUndefined();
  });

  it('returns the receiver of the package that the project has', async () => {
    const root = mkdtempSync(join(tmpdir(), 'bot-'));
    const folder = join(root, 'node_modules/@virgule/voice');
    mkdirSync(folder, { recursive: true });
    const manifest = { type: 'module', exports: { './receiver': { default: './receiver.js' } } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const code = `export const createReceiver = async () => ({ accept: async () => 'accepted' });`;
    writeFileSync(join(folder, 'receiver.js'), code);
    expect(await (await openVoiceReceiver(root))?.accept('v=0')).toBe('accepted');
  });
});
