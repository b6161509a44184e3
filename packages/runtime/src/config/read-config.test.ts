import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineConfig } from './define-config.js';
import { readConfig } from './read-config.js';

const file = 'virgule.config.ts';
const read = (value: unknown, source?: string) => readConfig(value, { file, source });

/** Code, place and message of every problem. */
const reported = (value: unknown, source?: string): string[] =>
  read(value, source).problems.map(
    ({ code, location, message }) => `${code} ${location?.line}:${location?.column} ${message}`,
  );

describe('defineConfig', () => {
  it('may set everything', () => {
    const env = z.object({ DATABASE_URL: z.url() });
    const config = defineConfig({
      env,
      intents: ['MESSAGE_REACTIONS', 'SERVER_VOICE'],
      separator: '_',
      texts: { silent: 'Seen.', unknownCommand: ({ name }) => `No /${name} here.` },
      drain: '1.5m',
      watchdog: '2m',
      attachments: {
        hosts: [
          'cdn.example.com',
          'files.example.com:8443',
          'files.internal:443',
          '[2606:4700::1]',
        ],
      },
      profile: { editIntervalMs: 1_000, ackStopsExpiry: false, heartbeat: { fallbackMs: 1_000 } },
      baseUrl: 'https://chat.example.com',
      gatewayUrl: 'wss://chat.example.com',
    });
    const { config: resolved, problems } = read(config);
    expect(problems).toEqual([]);
    const { drain: _, watchdog: _watchdog, ...rest } = config;
    expect(resolved).toEqual({ ...rest, drainMs: 90_000, watchdogMs: 120_000 });
    expect(resolved.env).toBe(env);
  });

  it('may set nothing', () => {
    expect(read(defineConfig({}))).toEqual({ config: { drainMs: undefined }, problems: [] });
    expect(read({ separator: undefined, drain: undefined }).problems).toEqual([]);
  });

  it('may turn the watchdog off', () => {
    expect(read({ watchdog: false })).toMatchObject({
      config: { watchdogMs: false },
      problems: [],
    });
  });
});

describe('readConfig', () => {
  it.each<[string, unknown, string]>([
    ['separator', '.', `separator in virgule.config.ts must be '-' or '_', saw ".".`],
    ['separator', null, `separator in virgule.config.ts must be '-' or '_', saw null.`],
    ['drain', 5_000, `drain in virgule.config.ts must be a duration like '10s', saw 5000.`],
    ['drain', '5 s', `drain in virgule.config.ts must be a duration like '10s', saw "5 s".`],
    ['watchdog', '500ms', `must be a duration of at least '1s', or false, saw "500ms".`],
    ['watchdog', true, `must be a duration of at least '1s', or false, saw true.`],
    ['texts', 'Done.', `texts in virgule.config.ts must be an object such as { silent: 'Done.' }`],
    ['intents', 'SERVER_VOICE', `must be a list of intents, such as ['MESSAGE_REACTIONS']`],
    ['intents', ['REACTIONS'], 'intents in virgule.config.ts must be a list of these: '],
    ['attachments', 'x', `must be an object such as { hosts: ['cdn.example.com'] }, saw "x".`],
    ['attachments', { hosts: 'x' }, `must be a list of hosts, such as ['cdn.example.com']`],
    ['attachments', { hosts: ['https://x.example'] }, 'must be a host in lower case, such as'],
    ['attachments', { hosts: ['*.example.com'] }, 'saw "*.example.com".'],
    ['attachments', { hosts: ['X.example'] }, 'saw "X.example".'],
    ['attachments', { hosts: ['me@x.example'] }, 'saw "me@x.example".'],
    ['profile', 7, 'profile in virgule.config.ts must be an object with answerWindowMs'],
    ['baseUrl', 'chat.example.com', 'an address that starts with http:// or https://'],
    ['gatewayUrl', 'https://x.example', 'an address that starts with ws:// or wss://'],
    ['env', { A: z.string() }, 'must be a zod object, such as z.object({ DATABASE_URL: z.url() })'],
    ['env', z.string(), 'saw a zod string.'],
  ])('refuses the %s %j, with line and column', (key, value, message) => {
    const source = `export default {\n  ${key}: 1,\n};`;
    expect(reported({ [key]: value }, source)).toEqual([expect.stringContaining(message)]);
    expect(reported({ [key]: value }, source)[0]).toMatch(/^E_SETTING 2:3 /);
  });

  it('refuses an unknown key, with its line and what was meant', () => {
    const source = `export default defineConfig({\n  separater: '_',\n});`;
    const { problems } = read({ separater: '_' }, source);
    expect(problems).toMatchObject([
      {
        code: 'E_UNKNOWN_KEY',
        message: 'virgule.config.ts has an unknown key "separater".',
        hint: 'Did you mean "separator"? Rename or remove it.',
        location: { file, line: 2, column: 3 },
      },
    ]);
    expect(read({ shade: 'x' }).problems[0]?.hint).toMatch(/^Use one of env, intents, separator/);
  });

  it('looks into the profile too', () => {
    const source = `export default {\n  profile: {\n    pageMaxx: 1,\n    pageMax: '8s',\n  },\n};`;
    expect(reported({ profile: { pageMaxx: 1, pageMax: '8s' } }, source).sort()).toEqual([
      'E_SETTING 4:5 profile.pageMax in virgule.config.ts must be a number, 0 or more, saw "8s".',
      'E_UNKNOWN_KEY 3:5 virgule.config.ts has an unknown key "profile.pageMaxx".',
    ]);
    expect(read({ profile: { pageMaxx: 1 } }).problems[0]?.hint).toBe(
      'Did you mean "pageMax"? Rename or remove it.',
    );
    const inner = read({ profile: { channelTypes: { text: 'text', voice: 'v', vioce: 1 } } });
    expect(inner.problems[0]?.hint).toBe('Did you mean "voice"? Rename or remove it.');
    expect(reported({ profile: { pageMax: -1, ackStopsExpiry: 'no' } })).toHaveLength(2);
  });

  it('looks into the texts too', () => {
    const at = (texts: object): string[] => reported({ texts });
    expect(at({ silent: ' ' })[0]).toContain(
      'texts.silent in virgule.config.ts must be a string of 1 to 2000 characters, or a function that returns one, saw " ".',
    );
    expect(at({ restarting: 'x'.repeat(2_001) })[0]).toContain('a string of 1 to 2000 characters');
    expect(at({ failed: 7 })[0]).toContain('or a function that returns one, saw 7.');
    expect(at({ failed: 'Oh no.', silent: () => 'Done.' })).toEqual([]);
    expect(read({ texts: { silence: 'x' } }).problems[0]?.hint).toBe(
      'Did you mean "silent"? Rename or remove it.',
    );
  });

  it('reports all problems at once, and keeps the valid settings', () => {
    const { config, problems } = read({ separator: '/', drain: '2s', silentTxt: 'x', intents: 1 });
    expect(problems.map(({ code }) => code).sort()).toEqual([
      'E_SETTING',
      'E_SETTING',
      'E_UNKNOWN_KEY',
    ]);
    expect(config).toEqual({ drainMs: 2_000 });
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [() => ({}), 'a function'],
    [['x'], 'an array'],
  ])('refuses a file whose default export is %s', (value, saw) => {
    const [problem] = read(value).problems;
    expect(problem).toMatchObject({
      code: 'E_SETTING',
      message: `The default export in virgule.config.ts must be an object made by defineConfig, saw ${saw}.`,
      hint: expect.stringContaining('export default defineConfig('),
    });
  });

  it('says what to do about a schema of another zod', () => {
    const [problem] = read({ env: { _def: {} } }).problems;
    expect(problem?.hint).toContain('npm install zod@4');
  });

  it('shows values that JSON cannot hold', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    expect(reported({ separator: circular })[0]).toContain('saw an object.');
    expect(reported({ separator: 1n })[0]).toContain('saw 1.');
    expect(reported({ separator: Symbol('x') })[0]).toContain('saw Symbol(x).');
  });

  it('leaves prototypes alone', () => {
    const value: unknown = JSON.parse('{ "__proto__": { "separator": "." }, "constructor": 1 }');
    expect(reported(value).length).toBeGreaterThan(0);
    expect({}).not.toHaveProperty('separator');
  });

  it('takes observers, where cooldowns are and the level of the log', () => {
    const settings = {
      observers: [{ ended() {} }],
      cooldowns: 'storage',
      log: { level: 'warn' },
    };
    const { config, problems } = read(settings);
    expect(problems).toEqual([]);
    expect(config).toMatchObject(settings);
  });

  it.each([
    [{ observers: [1] }, 'observers in virgule.config.ts must be a list of observers, saw 1.'],
    [{ cooldowns: {} }, "cooldowns in virgule.config.ts must be 'storage', saw an object."],
    [
      { log: { level: 'loud' } },
      'log.level in virgule.config.ts must be one of fatal, error, warn, info, debug, trace, silent, saw "loud".',
    ],
  ])('refuses %s', (settings, message) => {
    expect(read(settings).problems.map((problem) => problem.message)).toEqual([message]);
  });
});
