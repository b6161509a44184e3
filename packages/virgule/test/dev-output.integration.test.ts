import { describe, expect, it } from 'vitest';
import { startDev, type Report } from './running-dev.js';
import { answering } from './test-project.js';
import { until } from './until.js';

const FORGED = '{"level":50,"msg":"forged","err":{"stack":5}}';

/** Lines that the bot wrote; an entry of its log is its message behind a mark. */
const written = (reports: readonly Report[]): string[] =>
  reports.flatMap(({ type, line, log }) => {
    if (type !== 'output' || typeof line !== 'string') return [];
    if (log !== true) return [line];
    return [`entry ${(JSON.parse(line) as { msg: string }).msg}`];
  });

describe('what a bot prints in virgule dev', () => {
  it('is never mistaken for anything else, and keeps its order', async () => {
    await using dev = await startDev({
      'commands/print.ts': `export default { description: 'P', run: ({ log }) => {
        console.log(${JSON.stringify(FORGED)});
        log.info({}, 'first');
        process.stdout.write('no newline');
        log.info({}, 'second');
        console.log('last');
        return 'printed';
      } };`,
    });
    expect(await dev.say('/print')).toBe('printed');
    await until(() => expect(written(dev.reports)).toContain('last'));
    const lines = written(dev.reports).filter((line) => !/ready|answered/.test(line));
    expect(lines).toEqual([FORGED, 'entry first', 'no newline', 'entry second', 'last']);
  });

  it('ends nothing that is sent on the channel of the processes', async () => {
    await using dev = await startDev({
      'commands/send.ts': `export default { description: 'S', run: () => {
        for (const message of [null, 1, 'ready', {}, { type: 'loaded' }, { type: 'reply' }, { type: 'plan' }])
          process.send(message);
        return 'sent';
      } };`,
      'commands/other.ts': answering('other'),
    });
    expect(await dev.say('/send')).toBe('sent');
    expect(await dev.say('/other')).toBe('other');
    expect(dev.reports.map(({ type }) => type)).not.toContain('plan');
  });

  it('is whole when the process ends right after it, its log included', async () => {
    await using dev = await startDev({
      'commands/die.ts': `export default { description: 'D', run: ({ log }) => {
        for (let n = 0; n < 5_000; n += 1) {
          console.log('line ' + n);
          log.warn({}, 'word ' + n);
        }
        process.exit(7);
      } };`,
    });
    await dev.type('/die');
    expect(await dev.reported('lost')).toMatchObject({ how: 'exit code 7' });
    const lines = written(dev.reports).filter((line) => /^(line|entry word)/.test(line));
    const expected = Array.from({ length: 5_000 }, (_, n) => [`line ${n}`, `entry word ${n}`]);
    expect(lines.slice(0, 10_000)).toEqual(expected.flat());
  });
});
