import { createFakeClock } from '@virgule/core/clock';
import { VirguleError } from '@virgule/core/errors';
import { describe, expect, it } from 'vitest';
import { createFakeRest } from '../../test/fake-rest.js';
import { BOT_USER, CHANNEL } from '../../test/ids.js';
import { createMemoryStorage } from '../../test/memory-storage.js';
import { createRecordedLog } from '../../test/recorded-log.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { MISSING_VOICE } from '../voice/voice-setting.js';
import type { CreateServices, ServicesContext } from './define-services.js';
import {
  CREATE_TIMEOUT_MS,
  createServices,
  DISPOSE_TIMEOUT_MS,
  givenServices,
  type CreateServicesOptions,
} from './create-services.js';

function start(create: CreateServices, options: Partial<CreateServicesOptions> = {}) {
  const clock = createFakeClock();
  const log = createRecordedLog();
  const run = createServices({
    create,
    file: 'services.ts',
    env: { KEY: 'value' },
    rest: createFakeRest().rest,
    log,
    clock,
    random: () => 0.5,
    storage: createMemoryStorage(clock),
    tasks: {},
    voice: MISSING_VOICE.voice,
    ...options,
  });
  return { run, clock, log };
}

/** Things that write down when they are disposed. */
function things() {
  const gone: string[] = [];
  return {
    gone,
    closing: (name: string) => ({ close: () => void gone.push(name) }),
    disposing: (name: string) => ({ [Symbol.dispose]: () => void gone.push(name) }),
    disposingLater: (name: string) => ({
      [Symbol.asyncDispose]: async () => {
        await Promise.resolve();
        gone.push(name);
      },
    }),
  };
}

describe('createServices', () => {
  it('runs the function once, at once, with what it may need', async () => {
    const seen: ServicesContext[] = [];
    const { run } = start((context) => {
      seen.push(context);
      return { db: 1 };
    });
    expect(seen).toHaveLength(1);
    expect(await run.created).toEqual({ db: 1 });
    expect(await run.created).toBe(await run.created);
    const [context] = seen;
    expect(Object.keys(context ?? {}).sort()).toEqual([
      'channel',
      'clock',
      'env',
      'log',
      'me',
      'onDispose',
      'random',
      'rest',
      'role',
      'signal',
      'storage',
      'tasks',
      'voice',
      'whileLeading',
    ]);
    expect(context?.env).toEqual({ KEY: 'value' });
    expect(context?.random()).toBe(0.5);
    expect(context?.signal.aborted).toBe(false);
  });

  it('writes to channels, in several messages if needed, and knows the bot', async () => {
    const fake = createFakeRest();
    const contexts: ServicesContext[] = [];
    start((context) => ({ length: contexts.push(context) }), { rest: fake.rest });
    const [context] = contexts;
    await context?.channel(CHANNEL).send({ content: 'word '.repeat(600), split: true });
    expect(fake.calls.map(({ endpoint }) => endpoint)).toEqual(['messages.send', 'messages.send']);
    const me = await context?.me();
    expect([me?.id, String(me), context?.role]).toEqual([BOT_USER, `<@${BOT_USER}>`, 'all']);
  });

  it('disposes each member in reverse order, by the first method it has', async () => {
    const { gone, closing, disposing, disposingLater } = things();
    const both = {
      ...closing('close'),
      ...disposing('dispose'),
      ...disposingLater('asyncDispose'),
    };
    const { run } = start(() => ({
      first: closing('first'),
      second: disposing('second'),
      third: disposingLater('third'),
      both,
      again: both,
      plain: { name: 'nothing to do' },
      text: 'text',
      nothing: null,
    }));
    await run.created;
    expect(gone).toEqual([]);
    await run.close();
    expect(gone).toEqual(['asyncDispose', 'third', 'second', 'first']);
  });

  it('calls a method with its own object', async () => {
    class Pool {
      open = true;
      close(): void {
        this.open = false;
      }
    }
    const pool = new Pool();
    const { run } = start(() => ({ pool }));
    await run.created;
    await run.close();
    expect(pool.open).toBe(false);
  });

  it('calls what onDispose was given after the members, the last first', async () => {
    const { gone, closing } = things();
    const { run } = start(({ onDispose }) => {
      onDispose(() => gone.push('one'));
      onDispose(async () => gone.push('two'));
      return { member: closing('member') };
    });
    await run.created;
    await run[Symbol.asyncDispose]();
    expect(gone).toEqual(['member', 'two', 'one']);
  });

  it('disposes once, however often it is closed, and aborts the signal first', async () => {
    const { gone } = things();
    let signal: AbortSignal | undefined;
    const { run } = start((context) => {
      signal = context.signal;
      context.onDispose(() => gone.push(`aborted: ${signal?.aborted}`));
      return {};
    });
    await run.created;
    await Promise.all([run.close(), run.close()]);
    await run.close();
    expect(gone).toEqual(['aborted: true']);
  });

  it('leads, and disposes the services after its functions have ended', async () => {
    const { gone, closing } = things();
    const { run } = start(({ whileLeading, clock }) => {
      whileLeading(async (signal) => {
        while (!signal.aborted) await clock.sleep('1s').catch(() => {});
        await Promise.resolve();
        gone.push('loop');
      });
      return { db: closing('db') };
    });
    await run.created;
    await run.close();
    expect(gone).toEqual(['loop', 'db']);
  });

  it('continues when one cannot be disposed, and logs which', async () => {
    const { gone, closing } = things();
    const { run, log } = start(() => ({
      first: closing('first'),
      broken: {
        close() {
          throw new Error('stuck');
        },
      },
    }));
    await run.created;
    await run.close();
    expect(gone).toEqual(['first']);
    expect(log.at('error')).toEqual(['broken of services.ts could not be disposed']);
  });

  it('does not wait indefinitely for one that is never disposed', async () => {
    const { run, clock, log } = start(() => ({ stuck: { close: () => new Promise(() => {}) } }));
    await run.created;
    const closed = run.close();
    await clock.advance(DISPOSE_TIMEOUT_MS);
    await closed;
    expect(log.at('warn')).toEqual(['the services of services.ts took too long to be disposed']);
  });

  it('passes on the advice of an error of Virgule', async () => {
    const { run } = start(() => {
      throw runtimeErrors.E_DURATION({ saw: 'soon' });
    });
    const { hint } = runtimeErrors.E_DURATION({ saw: 'soon' });
    await expect(run.created).rejects.toMatchObject({ code: 'E_SERVICES_FAILED', hint });
  });

  it('says that another process uses a port', async () => {
    const { run } = start(() => {
      throw new Error('listen EADDRINUSE: address already in use 127.0.0.1:8099');
    });
    const hint = expect.stringMatching(/^Another process, .* uses the port\. In a test/);
    await expect(run.created).rejects.toMatchObject({ code: 'E_SERVICES_FAILED', hint });
  });

  it.each<[string, CreateServices]>([
    [
      'throws',
      () => {
        throw new Error('no database');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('no database'))],
  ])('names the file when the function %s', async (_, create) => {
    const { run } = start(create);
    await expect(run.created).rejects.toMatchObject({
      code: 'E_SERVICES_FAILED',
      message: 'The services of services.ts could not be created: no database',
      hint: 'The bot does not run without its services. Fix services.ts, or start the server that it connects to.',
      location: { file: 'services.ts' },
      cause: new Error('no database'),
    });
  });

  it('passes a log that takes a message, and an error with a message', async () => {
    const error = new Error('slow');
    const { run, log } = start(({ log: own }) => {
      own.info('The database is open.');
      own.warn(error, 'a query was slow');
      return {};
    });
    await run.created;
    expect(log.lines).toEqual([
      { level: 'info', message: 'The database is open.', details: {} },
      { level: 'warn', message: 'a query was slow', details: { err: error } },
    ]);
  });

  it('names the line where it is known, and takes secrets out of the reason', async () => {
    const location = { file: '/bot/services.ts', line: 7, column: 3 };
    const { run } = start(() => Promise.reject('refused: hunter22'), {
      placeOf: () => location,
      redact: (text) => text.replace('hunter22', '[redacted]'),
    });
    await expect(run.created).rejects.toMatchObject({
      message: 'The services of services.ts could not be created: refused: [redacted]',
      location,
    });
  });

  it('disposes what was created before the failure, the last first, before it rejects', async () => {
    const { gone } = things();
    const { run } = start(async ({ onDispose, signal }) => {
      onDispose(() => gone.push('db'));
      await Promise.resolve();
      onDispose(() => gone.push(`cache, aborted: ${signal.aborted}`));
      throw new Error('no queue');
    });
    await expect(run.created).rejects.toThrow('no queue');
    expect(gone).toEqual(['cache, aborted: true', 'db']);
    await run.close();
    expect(gone).toHaveLength(2);
  });

  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['db', 'a string'],
    [[1], 'an array'],
    [new Map(), 'a Map'],
  ])('refuses %s in place of an object of services', async (made, saw) => {
    // JavaScript may return anything.
    const { run } = start(() => made as object);
    await expect(run.created).rejects.toMatchObject({
      code: 'E_SERVICES_INVALID',
      message: `services.ts must return an object of services, saw ${saw}.`,
    });
  });

  it('gives up after a minute, and disposes what comes late', async () => {
    const { gone, closing } = things();
    let finish: (made: object) => void = () => {};
    let onDispose: ServicesContext['onDispose'] = () => {};
    const { run, clock } = start((context) => {
      ({ onDispose } = context);
      return new Promise<object>((resolve) => (finish = resolve));
    });
    await clock.advance(CREATE_TIMEOUT_MS);
    await expect(run.created).rejects.toMatchObject({
      code: 'E_SERVICES_FAILED',
      message: 'The services of services.ts could not be created: not created within 60 s',
    });
    onDispose(() => gone.push('registered late'));
    finish({ db: closing('db') });
    await clock.advance(0);
    expect(gone).toEqual(['registered late', 'db']);
  });

  it('gives up at once when it is closed meanwhile', async () => {
    const { gone } = things();
    const { run } = start(({ onDispose, signal }) => {
      onDispose(() => gone.push('db'));
      return new Promise<object>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    });
    await run.close();
    await expect(run.created).rejects.toMatchObject({ name: 'AbortError' });
    expect(gone).toEqual(['db']);
  });

  it('lets the function sleep on the clock of the bot, until it is closed', async () => {
    const { run, clock } = start(async (context) => {
      await context.clock.sleep('5s');
      return { since: context.clock.now() };
    });
    await clock.advance(5_000);
    expect(await run.created).toEqual({ since: clock.now() });
    const cut = start(async (context) => {
      await context.clock.sleep('5s');
      return {};
    });
    await cut.run.close();
    await expect(cut.run.created).rejects.toThrow('abort');
  });

  it('reports an error of the framework as the reason, not in its place', async () => {
    const cause = new VirguleError({ code: 'E_MADE_UP', kind: 'user', message: 'made up' });
    const { run } = start(() => Promise.reject(cause));
    await expect(run.created).rejects.toMatchObject({ code: 'E_SERVICES_FAILED', cause });
  });
});

describe('givenServices', () => {
  it('returns them unchanged and never disposes them', async () => {
    const { gone, closing } = things();
    const services = { db: closing('db') };
    const run = givenServices(services);
    expect(await run.created).toBe(services);
    await run.close();
    await run[Symbol.asyncDispose]();
    expect(gone).toEqual([]);
    expect(await givenServices().created).toEqual({});
  });
});
