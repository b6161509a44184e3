import { systemClock } from '@virgule/core/clock';
import type { Io } from '../../terminal/io.js';
import { openBrowser } from '../../terminal/open-browser.js';
import { version } from '../../terminal/version.js';
import type { DevFlags } from '../dev-flags.js';
import type { DevReport } from './dev-report.js';
import { createDevText } from './dev-text.js';

/** Output of `virgule dev`: reports, texts and log lines. */
export type DevOutput = ReturnType<typeof createDevOutput>;

export function createDevOutput({ json, once }: DevFlags, io: Io) {
  const toText = createDevText({
    color: io.color,
    version,
    now: () => systemClock.now(),
    columns: () => io.columns,
    keys: io.interactive,
    once,
  });
  const write = (text: string): void => void io.stdout.write(text);

  function report(event: DevReport): void {
    if (json) io.stdout.write(`${JSON.stringify({ v: 1, ...event })}\n`);
    else write(toText(event));
  }
  const notice = (text: string): void => report({ type: 'notice', text });

  return {
    report,
    notice,
    /** Opens a page in the browser, or reports the reason why it cannot. */
    async open(page: string): Promise<void> {
      const reason = await openBrowser(page, io.env);
      if (reason !== undefined)
        notice(`The browser could not be opened (${reason}). The page: ${page}`);
    },
    /** Writes text that is not a report, such as help or a cleared screen. */
    write,
    /** Receives the lines of a log. */
    log: (line: string): void =>
      report({ type: 'output', stream: 'stderr', line: line.trimEnd(), log: true }),
  };
}
