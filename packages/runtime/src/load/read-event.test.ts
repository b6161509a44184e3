import { describe, expect, it } from 'vitest';
import { loadModules } from '../../test/project-of.js';
import { defineEvent } from '../events/define-event.js';
import type { ModuleExports } from './import-file.js';

const FILE = 'events/message-create.ts';

async function read(exports: ModuleExports) {
  const { project, problems } = await loadModules({ [FILE]: exports });
  return { listener: project.events.get('MESSAGE_CREATE')?.[0], problems };
}

describe('an event file', () => {
  it('exports what defineEvent returns', async () => {
    const run = (): void => {};
    const { listener } = await read({
      default: defineEvent('MESSAGE_CREATE', run, { own: true, once: true, timeout: '30s' }),
    });
    expect(listener).toEqual({
      event: 'MESSAGE_CREATE',
      file: FILE,
      own: true,
      once: true,
      order: 'channel',
      burstMs: 0,
      timeoutMs: 30_000,
      hasTimeout: true,
      intents: ['SERVER_MESSAGES'],
      errorHandlers: [],
      run,
    });
  });

  it('may export a plain function', async () => {
    const run = (): void => {};
    const { listener } = await read({ default: run });
    expect(listener).toEqual({
      event: 'MESSAGE_CREATE',
      file: FILE,
      own: false,
      once: false,
      order: 'channel',
      burstMs: 0,
      timeoutMs: 900_000,
      hasTimeout: false,
      intents: ['SERVER_MESSAGES'],
      errorHandlers: [],
      run,
    });
  });

  it.each<[string, ModuleExports]>([
    ['nothing', {}],
    ['null', { default: null }],
    ['no event', { default: { run: () => {} } }],
  ])('has no handler when it exports %s', async (_, exports) => {
    const { listener, problems } = await read(exports);
    expect(listener).toBeUndefined();
    expect(problems).toMatchObject([
      {
        code: 'E_NO_HANDLER',
        message:
          'events/message-create.ts has no handler. It needs a default export made by defineEvent, or a function.',
        location: { file: FILE },
      },
    ]);
  });

  it.each<[string, unknown, string, string]>([
    [
      'an object without a function',
      { event: 'MESSAGE_CREATE', run: 'done' },
      'is an object without a function run',
      '',
    ],
    [
      'the object of another framework',
      { name: 'messageCreate', execute: () => {} },
      'is an object without a function run',
      'Write: ',
    ],
    ['a class', class {}, 'is a class, which is not a handler', ''],
  ])('says what to write instead of %s', async (_, main, message, advice) => {
    const { listener, problems } = await read({ default: main });
    expect(listener).toBeUndefined();
    expect(problems).toMatchObject([
      {
        code: 'E_NO_HANDLER',
        message: `The default export of ${FILE} ${message}.`,
        hint: expect.stringContaining(
          `${advice || 'Write: '}export default defineEvent('MESSAGE_CREATE', (ctx) => { … })`,
        ),
        location: { file: FILE },
      },
    ]);
  });

  it('listens to the event that its name says', async () => {
    const { listener, problems } = await read({ default: defineEvent('MESSAGE_DELETE', () => {}) });
    expect(listener).toBeUndefined();
    expect(problems).toMatchObject([
      {
        code: 'E_EVENT_NAME',
        message:
          'events/message-create.ts listens to MESSAGE_CREATE by its name, and to MESSAGE_DELETE by its code.',
        location: { file: FILE },
      },
    ]);
  });

  it.each<[string, ModuleExports, object]>([
    [
      'an unknown key',
      { default: { event: 'MESSAGE_CREATE', run: () => {}, onec: true } },
      { code: 'E_UNKNOWN_KEY', hint: 'Did you mean "once"? Rename or remove it.' },
    ],
    [
      'an unknown export',
      { default: () => {}, once: true },
      { code: 'E_UNKNOWN_KEY', message: `${FILE} has an unknown export "once".` },
    ],
    [
      'an option of another type',
      { default: { event: 'MESSAGE_CREATE', run: () => {}, own: 'yes' } },
      { code: 'E_SETTING', message: `own in ${FILE} must be true or false, saw "yes".` },
    ],
    [
      'an unknown order',
      { default: { event: 'MESSAGE_CREATE', run: () => {}, order: 'any' } },
      {
        code: 'E_SETTING',
        message: `order in ${FILE} must be 'channel', 'none' or a function that returns a key, saw "any".`,
      },
    ],
    [
      'a filter that is no function',
      { default: { event: 'MESSAGE_CREATE', run: () => {}, when: 'bot,' } },
      {
        code: 'E_SETTING',
        message: `when in ${FILE} must be a function that returns true for the events to handle, saw "bot,".`,
      },
    ],
    [
      'an overlap without an order',
      { default: defineEvent('MESSAGE_CREATE', () => {}, { order: 'none', overlap: 'abort' }) },
      {
        code: 'E_SETTING',
        message: `overlap in ${FILE} must be omitted with order: 'none', saw "abort".`,
        hint: "Remove overlap or order: 'none'.",
      },
    ],
    [
      'a burst without an order',
      { default: defineEvent('MESSAGE_CREATE', () => {}, { order: 'none', burst: '1.5s' }) },
      {
        code: 'E_SETTING',
        message: `burst in ${FILE} must be omitted with order: 'none', saw "1.5s".`,
      },
    ],
  ])('may not have %s', async (_, exports, problem) => {
    const { listener, problems } = await read(exports);
    expect(listener).toBeUndefined();
    expect(problems).toMatchObject([problem]);
  });

  it.each(['overlap', 'burst'] as const)('of ready may not have the option %s', async (key) => {
    const options = { overlap: 'abort', burst: '1s' } as const;
    const { problems } = await loadModules({
      'events/ready.ts': { default: defineEvent('ready', () => {}, { [key]: options[key] }) },
    });
    const message = `${key} in events/ready.ts must be omitted for ready, saw "${options[key]}".`;
    expect(problems).toMatchObject([{ code: 'E_SETTING', message, hint: `Remove ${key}.` }]);
  });
});
