import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from './read-config.js';
import { settingsForMode } from './settings-for-mode.js';

function emptyFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'virgule-mode-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

const CONFIG = {
  separator: '_',
  baseUrl: 'https://chat.example',
  gatewayUrl: 'wss://chat.example',
  targets: { staging: { baseUrl: 'https://staging.example' } },
} as const;

describe('settingsForMode', () => {
  it('replaces what the target of the mode has', () => {
    const root = emptyFolder();
    expect(settingsForMode(CONFIG, { mode: 'staging', root })).toMatchObject({
      separator: '_',
      baseUrl: 'https://staging.example',
      gatewayUrl: 'wss://chat.example',
    });
    expect(settingsForMode(CONFIG, { mode: 'production', root })).toEqual(CONFIG);
  });

  it('knows a mode by its .env file', () => {
    const root = emptyFolder();
    writeFileSync(join(root, '.env.eu'), '');
    expect(settingsForMode({}, { mode: 'eu', root })).toEqual({});
  });

  it.each([['stagin'], ['__proto__'], ['../x'], ['']])('refuses %j', (mode) => {
    expect(() => settingsForMode(CONFIG, { mode, root: emptyFolder() })).toThrow(
      expect.objectContaining({ code: 'E_MODE_UNKNOWN' }),
    );
  });

  it('suggests the mode that was meant', () => {
    expect(() => settingsForMode(CONFIG, { mode: 'stagin', root: emptyFolder() })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('Did you mean "staging"?') }),
    );
  });
});

describe('targets in the configuration', () => {
  it('are checked like the settings that they replace', () => {
    const read = (targets: unknown) => readConfig({ targets }, { file: 'virgule.config.ts' });
    expect(read(CONFIG.targets)).toMatchObject({
      config: { targets: CONFIG.targets },
      problems: [],
    });
    expect(read({ staging: { baseUrl: 'nowhere' } }).problems).toMatchObject([
      { code: 'E_SETTING', message: expect.stringContaining('targets.staging.baseUrl') },
    ]);
    expect(read({ staging: { baseURL: '' } }).problems).toMatchObject([
      { code: 'E_UNKNOWN_KEY', hint: expect.stringContaining('baseUrl') },
    ]);
    expect(read([]).problems).toMatchObject([{ code: 'E_SETTING' }]);
  });
});
