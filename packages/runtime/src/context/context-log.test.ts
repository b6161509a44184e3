import { describe, expect, it } from 'vitest';
import { CHANNEL, interactionId, SERVER } from '../../test/ids.js';
import { createRecordedLog } from '../../test/recorded-log.js';
import { ContextLog } from './context-log.js';

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
  return { recorded, log: new ContextLog(recorded, event) };
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

  it('survives destructuring', () => {
    const { recorded, log } = open();
    const { debug, info, warn, error } = log;
    for (const write of [debug, info, warn, error]) write({}, 'taken out');
    expect(recorded.lines.map(({ level }) => level)).toEqual(['debug', 'info', 'warn', 'error']);
  });
});
