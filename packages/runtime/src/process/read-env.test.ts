import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { envFileNames, envFilesRead, readConnection, readEnv } from './read-env.js';

/** A folder with these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'virgule-env-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return root;
}

describe('readEnv', () => {
  it('says which file cannot be read', () => {
    const root = folderWith({});
    mkdirSync(join(root, '.env.local'));
    expect(() => readEnv(root, 'production', {})).toThrow(
      expect.objectContaining({
        code: 'E_PROJECT_UNREADABLE',
        location: { file: join(root, '.env.local') },
      }),
    );
  });

  it('prefers the process, then the files of the mode, then the local one, then .env', () => {
    const root = folderWith({
      '.env': 'A=env\nB=env\nC=env\nD=env\n',
      '.env.local': 'B=local\nC=local\nD=local\n',
      '.env.production': 'C=production\nD=production\nF=production\n',
      '.env.production.local': 'D=mine\nF=mine\n',
      '.env.development': 'A=development\n',
    });
    expect(readEnv(root, 'production', { D: 'process', E: 'process' })).toEqual({
      A: 'env',
      B: 'local',
      C: 'production',
      D: 'process',
      E: 'process',
      F: 'mine',
    });
  });

  it('reports the lines that it cannot read, with their place', () => {
    const root = folderWith({ '.env': 'my bot\nA=1', '.env.production': 'B=2\n\nC' });
    const ignored: string[] = [];
    expect(readEnv(root, 'production', {}, (text) => ignored.push(text))).toEqual({
      A: '1',
      B: '2',
    });
    expect(ignored).toEqual([
      '.env:1 is not NAME=value and is ignored',
      '.env.production:3 is not NAME=value and is ignored',
    ]);
    expect(envFilesRead(root, 'production')).toEqual([
      '.env (not line 1)',
      '.env.production (not line 3)',
    ]);
  });

  it.each([
    [`"abc"`, 'abc'],
    [`'https://chat.example'`, 'https://chat.example'],
    [`'{"a": 1}'`, '{"a": 1}'],
    ['""', ''],
    [`"a","b"`, `"a","b"`],
    [`it's`, `it's`],
    ['"', '"'],
    [undefined, undefined],
  ])('takes the token and addresses without the quotes that Docker keeps: %s', (given, value) => {
    const others = { NODE_OPTIONS: '"--import=./my file.mjs"', GREETING: '"a string of JSON"' };
    expect(
      readEnv(folderWith({}), 'production', { BOT_TOKEN: given, REDIS_URL: given, ...others }),
    ).toEqual({ BOT_TOKEN: value, REDIS_URL: value, ...others });
  });

  it('does without files', () => {
    expect(readEnv(folderWith({}), 'production', { A: '1' })).toEqual({ A: '1' });
    expect(readEnv(join(folderWith({}), 'nowhere'), 'production', {})).toEqual({});
  });

  it('uses the environment of this process by default', () => {
    const { PATH } = readEnv(folderWith({}), 'production');
    expect(PATH).toBe(process.env['PATH']);
  });

  it('names its files weakest first', () => {
    expect(envFileNames('test')).toEqual(['.env', '.env.local', '.env.test', '.env.test.local']);
  });
});

describe('readEnv on a file with a byte order mark', () => {
  it.each([
    ['UTF-16, as PowerShell writes it', (bytes: Buffer) => bytes],
    ['UTF-16 with the other order', (bytes: Buffer) => bytes.swap16()],
  ])('reads %s', (_, encode) => {
    const root = folderWith({});
    writeFileSync(
      join(root, '.env'),
      encode(Buffer.from('\uFEFFBOT_TOKEN=first\r\nB=ü\r\n', 'utf16le')),
    );
    expect(readEnv(root, 'production', {})).toEqual({ BOT_TOKEN: 'first', B: 'ü' });
  });

  it('reads its first variable', () => {
    const root = folderWith({ '.env': '\uFEFFBOT_TOKEN=first\r\nOTHER=second\r\n' });
    expect(readEnv(root, 'production', {})).toEqual({ BOT_TOKEN: 'first', OTHER: 'second' });
  });
});

describe('readConnection', () => {
  const whole = {
    BOT_TOKEN: 'bot-token-made-up-7f3a',
    BOT_BASE_URL: 'https://chat.example',
    BOT_GATEWAY_URL: 'wss://chat.example',
  };

  it('reads the token and both addresses', () => {
    expect(readConnection(whole)).toEqual({
      token: 'bot-token-made-up-7f3a',
      baseUrl: 'https://chat.example',
      gatewayUrl: 'wss://chat.example',
    });
  });

  it.each([
    ['BOT_TOKEN', 'E_TOKEN_MISSING'],
    ['BOT_BASE_URL', 'E_ADDRESS_MISSING'],
    ['BOT_GATEWAY_URL', 'E_ADDRESS_MISSING'],
  ])('names %s when it is missing or empty', (name, code) => {
    for (const value of [undefined, '']) {
      const read = (): unknown => readConnection({ ...whole, [name]: value });
      expect(read).toThrow(expect.objectContaining({ code }));
      expect(read).toThrow(`${name} is not set`);
    }
  });

  it('names the files that were read, and that of the mode', () => {
    const root = folderWith({ '.env': 'my bot', '.env.staging': 'A=1' });
    const read = (at: string) => (): unknown =>
      readConnection({}, {}, { root: at, mode: 'staging' });
    expect(read(root)).toThrow(
      expect.objectContaining({
        message:
          'There is no bot token: BOT_TOKEN is not set. Read: .env (not line 1), .env.staging.',
        hint: expect.stringContaining('into .env or .env.staging,'),
      }),
    );
    expect(read(folderWith({}))).toThrow('BOT_TOKEN is not set. There is no .env file.');
  });

  it('takes an address from the environment first, then from the configuration', () => {
    const config = { baseUrl: 'https://config.example', gatewayUrl: 'wss://config.example' };
    expect(readConnection(whole, config)).toMatchObject({
      baseUrl: 'https://chat.example',
      gatewayUrl: 'wss://chat.example',
    });
    const { BOT_TOKEN } = whole;
    expect(readConnection({ BOT_TOKEN, BOT_BASE_URL: '' }, config)).toMatchObject(config);
    expect(() => readConnection({ BOT_TOKEN }, { baseUrl: config.baseUrl })).toThrow(
      'BOT_GATEWAY_URL is not set.',
    );
  });
});
