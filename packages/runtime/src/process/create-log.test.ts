import { VirguleError } from '@virgule/core/errors';
import { createRedactor } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { LOG_LEVELS } from '../config/define-config.js';
import { createLog } from './create-log.js';

/** A log and the lines it wrote, as objects. */
function open(level?: string) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({
    level,
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  return { log, lines };
}

/** Returns an error as it is written. */
function written(err: unknown): Record<string, unknown> {
  const { log, lines } = open();
  log.error({ err }, 'failed');
  return lines[0]?.['err'] as Record<string, unknown>;
}

describe('createLog', () => {
  it('writes one JSON object a line, with the time and the message', () => {
    const { log, lines } = open();
    log.info({ command: 'x' }, '/x answered');
    expect(lines).toEqual([
      { level: 30, time: expect.any(Number), command: 'x', msg: '/x answered' },
    ]);
  });

  it.each<[string, object]>([
    ['strings and numbers', { command: 'x', ms: 1.5, queueMs: 0, retries: undefined, big: 1e21 }],
    ['characters that JSON escapes', { a: 'say "hi"\\ \n\u0007', 'a "key"': 'ö 😀 \u2028' }],
    ['a number that is none', { n: NaN, m: Infinity, z: -0 }],
    ['other values', { a: true, b: null, c: [1, 'x'], d: { e: 1n }, f: () => {}, g: Symbol('x') }],
    ['a value under the key of errors', { err: 'no luck' }],
    ['the name of a secret', { apiToken: 'made-up', x: 1 }],
    ['an error in place of details', new TypeError('no luck')],
    [
      'an object of a class',
      new (class Point {
        x = 1;
        y = 2;
      })(),
    ],
    ['no details', {}],
  ])('writes the line that pino would write: %s', (_, details) => {
    const lines: string[] = [];
    const log = createLog({
      destination: { write: (line) => void lines.push(line) },
      prefix: '> ',
    });
    for (const text of ['/x answered', 'say "hi"']) {
      // Only pino formats a message with further arguments.
      Reflect.apply(log.info, log, [details, text, 'unused']);
      log.info(details, text);
    }
    const same = lines.map((line) => line.replace(/"time":\d+/, ''));
    expect([same[1], same[3]]).toEqual([same[0], same[2]]);
    expect(lines[1]).toMatch(/^> \{"level":30,"time":\d{13}.*\}\n$/s);
  });

  it('writes its level and those above', () => {
    const counts = LOG_LEVELS.map((level) => {
      const { log, lines } = open(level);
      for (const write of ['debug', 'info', 'warn', 'error'] as const) log[write]({}, 'text');
      return [level, lines.length];
    });
    expect(Object.fromEntries(counts)).toEqual({
      fatal: 0,
      error: 1,
      warn: 2,
      info: 3,
      debug: 4,
      trace: 4,
      silent: 0,
    });
    const { log, lines } = open();
    log.debug({}, 'text');
    expect(lines).toEqual([]);
  });

  it('keeps texts out of every later line, also of errors and their stacks', () => {
    const { log, lines } = open();
    log.info({ key: 'a-long-secret' }, 'before');
    log.hide?.(['a-long-secret']);
    log.hide?.(['say "please"']);
    const err = new Error('a-long-secret was refused', { cause: new Error('say "please"') });
    log.error({ err, key: 'xa-long-secretx' }, 'say "please"');
    expect(lines[0]).toMatchObject({ key: 'a-long-secret' });
    expect(lines[1]).toMatchObject({
      key: 'x[redacted]x',
      msg: '[redacted]',
      err: { message: '[redacted] was refused', cause: { message: '[redacted]' } },
    });
    expect(JSON.stringify(lines[1])).not.toMatch(/a-long-secret|please/);
  });

  it.each(['loud', '', 'INFO'])('refuses the level "%s"', (level) => {
    expect(() => open(level)).toThrow(
      expect.objectContaining({
        code: 'E_ENV_INVALID',
        message: `LOG_LEVEL is "${level}", which is not a log level.`,
        hint: 'Use one of fatal, error, warn, info, debug, trace, silent.',
      }),
    );
  });

  it('writes no token and no stream key', () => {
    const { log, lines } = open();
    const secret = 'bot-token-made-up-7f3a';
    log.info(
      {
        token: secret,
        streamKey: secret,
        connection: { token: secret, baseUrl: 'https://chat.example' },
        ingress: { streamKey: secret, ingressId: 'i' },
        headers: { authorization: secret },
      },
      'text',
    );
    expect(JSON.stringify(lines)).not.toContain(secret);
    expect(lines[0]).toMatchObject({
      token: '[redacted]',
      connection: { token: '[redacted]', baseUrl: 'https://chat.example' },
      ingress: { streamKey: '[redacted]', ingressId: 'i' },
    });
  });

  it('writes none of them whatever contains them, and stops at circular references', () => {
    const { log, lines } = open();
    const secret = 'bot-token-made-up-7f3a';
    class Ingress {
      readonly streamKey = secret;
      readonly toIngress = this;
    }
    const circle: Record<string, unknown> = { token: secret };
    circle['self'] = circle;
    const err = new VirguleError({
      code: 'E_X',
      kind: 'user',
      message: 'refused',
      details: { request: { headers: { Authorization: secret } } },
    });
    log.info({ result: { ingress: new Ingress() } }, 'a class');
    log.info({ list: [circle] }, 'a circle');
    log.info({ answer: { toJSON: () => ({ access_token: secret }) } }, 'its own JSON');
    log.error({ err }, 'an error');
    log.error({ error: Object.assign(new Error('x'), { apiKey: secret }) }, 'another error');
    expect(lines).toHaveLength(5);
    expect(JSON.stringify(lines)).not.toContain(secret);
    expect(lines[3]).toMatchObject({
      err: { details: { request: { headers: { Authorization: '[redacted]' } } } },
    });
  });

  it('hides what a redactor knows that others use as well', () => {
    const lines: string[] = [];
    const redact = createRedactor(['a-long-secret']);
    const log = createLog({ redact, destination: { write: (line) => void lines.push(line) } });
    log.info({}, 'a-long-secret');
    log.hide?.(['another-secret']);
    expect(lines[0]).toContain('"msg":"[redacted]"');
    expect(redact('another-secret')).toBe('[redacted]');
  });

  it('writes an error of the user’s with its code and hint, and no stack', () => {
    const error = new VirguleError({
      code: 'E_X',
      kind: 'user',
      message: 'It is wrong.',
      hint: 'Mend it.',
      details: { file: 'a.ts' },
      location: { file: 'a.ts', line: 3 },
    });
    expect(written(error)).toEqual({
      type: 'VirguleError',
      message: 'It is wrong.',
      code: 'E_X',
      hint: 'Mend it.',
      details: { file: 'a.ts' },
      location: { file: 'a.ts', line: 3 },
    });
  });

  it('writes a bug in the framework, and any other error, with its stack', () => {
    const bug = new VirguleError({ code: 'E_X', kind: 'bug', message: 'It is wrong.' });
    expect(written(bug)['stack']).toContain('create-log.test');
    const other = new TypeError('not a function');
    expect(written(other)).toEqual({
      type: 'TypeError',
      message: 'not a function',
      stack: other.stack,
    });
  });

  it('writes causes in turn, and ends when they go in a circle', () => {
    const inner = new Error('inner');
    const error = new VirguleError({
      code: 'E_X',
      kind: 'user',
      message: 'outer',
      cause: new Error('middle', { cause: inner }),
    });
    expect(written(error)).toMatchObject({
      cause: { message: 'middle', cause: { message: 'inner' } },
    });
    inner.cause = inner;
    expect(JSON.stringify(written(error)).split('"message":"inner"')).toHaveLength(5);
  });

  it.each([
    ['just a text', 'just a text'],
    [7, '7'],
    [null, 'null'],
  ])('writes %j when that was thrown', (thrown, message) => {
    expect(written(thrown)).toEqual({ message });
  });

  it('writes errors under any key, with their causes', () => {
    const { log, lines } = open();
    const error = new TypeError('no disk', { cause: new Error('full') });
    log.error({ error, reason: error, err: error, n: 1 }, 'failed');
    const described = {
      type: 'TypeError',
      message: 'no disk',
      stack: error.stack,
      cause: expect.objectContaining({ message: 'full' }),
    };
    expect(lines[0]).toMatchObject({ error: described, reason: described, err: described, n: 1 });
  });

  it('writes what throws when it is read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const { log, lines } = open();
    log.error({ err: proxy, other: proxy }, 'failed');
    expect(lines[0]).toMatchObject({
      err: { message: 'a value that cannot be read' },
      other: { message: 'a value that cannot be read' },
    });
  });
});
