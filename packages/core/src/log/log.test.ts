import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isKept, silentLog, warningLog } from './log.js';

describe('silentLog', () => {
  it('accepts lines of every level and writes none', () => {
    const levels = ['debug', 'info', 'warn', 'error'] as const;
    for (const level of levels) {
      expect(silentLog[level]({ count: 1 }, 'something happened')).toBeUndefined();
      expect(isKept(silentLog, level)).toBe(false);
    }
  });
});

describe('warningLog', () => {
  it('reports warnings and errors as Node.js does its own, and nothing else', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => {
      if (warning.name === 'VirguleWarning') warnings.push(warning);
    };
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    // The log also prints to the terminal, which belongs to the test run.
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    warningLog.debug({ count: 1 }, 'debug');
    warningLog.info({ count: 2 }, 'info');
    warningLog.warn({ count: 3 }, 'the line is slow');
    warningLog.error({ count: 4n, error: new Error('why') }, 'the line is gone');
    // Any value can be thrown, including values without a form in JSON.
    const error: Record<string, unknown> = {};
    error['self'] = error;
    warningLog.error({ error }, 'a listener threw');
    await vi.waitFor(() => expect(warnings).toHaveLength(3));
    expect(warnings.map(({ message }) => message)).toEqual([
      'the line is slow {"count":3}',
      'the line is gone {"count":"4","error":"Error: why"}',
      expect.stringMatching(/^a listener threw .*Circular/),
    ]);
    expect([isKept(warningLog, 'info'), isKept(warningLog, 'warn')]).toEqual([false, true]);
  });
});

describe('isKept', () => {
  const { isLevelEnabled: _, ...plain } = silentLog;

  it('is true for every level of a log without isLevelEnabled', () => {
    expect(isKept(plain, 'debug')).toBe(true);
  });

  it('calls isLevelEnabled if there is one', () => {
    const log = { ...plain, isLevelEnabled: (level: string) => level !== 'debug' };
    expect([isKept(log, 'debug'), isKept(log, 'info')]).toEqual([false, true]);
  });
});
