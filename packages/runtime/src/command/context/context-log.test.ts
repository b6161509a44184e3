import { describe, expect, it } from 'vitest';
import { CHANNEL, interactionId, SERVER } from '../../../test/ids.js';
import { createRecordedLog } from '../../../test/recorded-log.js';
import { createContextLog, type ContextLog } from './context-log.js';

const ID = interactionId(1);

function open() {
  const recorded = createRecordedLog();
  const event = {
    interactionId: ID,
    serverId: SERVER,
    channelId: CHANNEL,
    name: 'x',
    rawInput: '',
  };
  return { recorded, log: createContextLog(recorded, event) };
}

describe('the log of a context', () => {
  it('names the interaction in every line, at every level', () => {
    const { recorded, log } = open();
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]({ n: 1 }, level);
    expect(recorded.lines).toEqual(
      ['debug', 'info', 'warn', 'error'].map((level) => ({
        level,
        message: level,
        details: { command: 'x', interactionId: ID, n: 1 },
      })),
    );
  });

  it('lets a line say of itself what it is about', () => {
    const { recorded, log } = open();
    log.info({ command: 'y' }, 'Of another');
    expect(recorded.lines[0]?.details).toEqual({ command: 'y', interactionId: ID });
  });

  it('writes a line whose details throw when they are read', () => {
    const { recorded, log } = open();
    const fail = (): never => {
      throw new Error('closed');
    };
    log.info(Object.defineProperty({ n: 1 }, 'entity', { get: fail, enumerable: true }), 'saved');
    expect(recorded.lines[0]).toMatchObject({
      message: 'saved',
      details: { command: 'x', unreadable: true },
    });
  });

  it('survives destructuring', () => {
    const { recorded, log } = open();
    const { debug, info, warn, error } = log;
    for (const write of [debug, info, warn, error]) write({}, 'taken out');
    expect(recorded.lines.map(({ level }) => level)).toEqual(['debug', 'info', 'warn', 'error']);
  });
});

/** Each form of the arguments of a line, and the written line. */
const failure = new TypeError('no disk');
const FORMS: readonly (readonly [string, readonly unknown[], object, string])[] = [
  ['(message)', ['open'], {}, 'open'],
  ['(details, message)', [{ n: 1 }, 'open'], { n: 1 }, 'open'],
  ['(details)', [{ n: 1 }], { n: 1 }, ''],
  ['(error)', [failure], { err: failure }, 'no disk'],
  ['(error, message)', [failure, 'saving failed'], { err: failure }, 'saving failed'],
  ['({ err }, message)', [{ err: failure }, 'saving failed'], { err: failure }, 'saving failed'],
  // As console and other loggers take them.
  ['(message, error)', ['saving failed', failure], { err: failure }, 'saving failed'],
  ['(message, details)', ['open', { n: 1 }], { n: 1 }, 'open'],
  ['(message, message)', ['open', 'wide'], {}, 'open wide'],
  ['(message, number)', ['open', 7], { value: 7 }, 'open'],
  ['(details, details)', [{ n: 1 }, { m: 2 }], { n: 1, value: { m: 2 } }, ''],
  ['(list, message)', [[1, 2], 'open'], { value: [1, 2] }, 'open'],
  ['(nothing, message)', [undefined, 'open'], {}, 'open'],
  ['()', [], {}, 'undefined'],
  ['(null)', [null], {}, 'null'],
  ['(number)', [7], { value: 7 }, '7'],
];

describe.each(['debug', 'info', 'warn', 'error'] as const)('log.%s', (level) => {
  it.each(FORMS)('takes %s', (_, args, details, message) => {
    const { recorded, log } = open();
    const plain = createContextLog(recorded);
    for (const write of [log[level], plain[level]])
      // JavaScript may pass anything, against the types.
      (write as (...given: readonly unknown[]) => void)(...args);
    expect(recorded.lines).toEqual([
      { level, message, details: { command: 'x', interactionId: ID, ...details } },
      { level, message, details },
    ]);
  });

  it('writes what throws when it is read', () => {
    const { recorded, log } = open();
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    log[level](proxy, 'odd');
    expect(recorded.lines[0]).toMatchObject({
      message: 'odd',
      details: { err: expect.any(Error) },
    });
  });
});

describe('the log of a handler', () => {
  it('says which levels are kept', () => {
    const { isLevelEnabled }: ContextLog = createContextLog(createRecordedLog(false));
    expect([isLevelEnabled('info'), isLevelEnabled('warn')]).toEqual([false, true]);
  });
});
