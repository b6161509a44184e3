import { systemClock } from '@virgule/core/clock';
import type { Io } from '../../cli/io.js';
import { openBrowser } from '../../cli/open-browser.js';
import { version } from '../../cli/version.js';
import type { BannerFacts } from './dev-banner.js';
import type { DevReport } from './dev-report.js';
import { createDevText } from './dev-text.js';
import { createRepeatPrinter } from './repeat-printer.js';

/** Where everything goes that `virgule dev` has to say. */
export interface DevOutput {
  readonly report: (report: DevReport) => void;
  /** Adds what only the caller knows to the report of the start. */
  know(facts: Partial<Pick<BannerFacts, 'page' | 'restored'>>): void;
  readonly notice: (text: string) => void;
  /** Opens a page in the browser, or reports why it cannot. */
  open(page: string): Promise<void>;
  /** Writes text that is not a report: help, a cleared screen. */
  write(text: string): void;
  /** Takes the lines of a log. */
  readonly log: { write(line: string): void };
}

export interface DevOutputOptions {
  readonly json?: boolean | undefined;
  readonly once?: boolean | undefined;
}

export function createDevOutput({ json, once }: DevOutputOptions, io: Io): DevOutput {
  const { color } = io;
  const columns = (): number | undefined => (io.columns === Infinity ? undefined : io.columns);
  let known: object = {};
  const toText = createDevText({
    color,
    version,
    now: () => systemClock.now(),
    columns,
    keys: io.interactive,
    once,
  });
  const print = createRepeatPrinter({
    write: (text) => void io.stdout.write(text),
    columns,
    color,
  });

  function report(event: DevReport): void {
    const full = event.type === 'ready' ? { ...event, ...known } : event;
    if (json) io.stdout.write(`${JSON.stringify({ v: 1, ...full })}\n`);
    else {
      const text = toText(full);
      // What was reported already has none.
      if (text !== '') print(text);
    }
  }
  const notice = (text: string): void => report({ type: 'notice', text });

  return {
    report,
    know: (facts) => void (known = { ...known, ...facts }),
    notice,
    async open(page) {
      const reason = await openBrowser(page, io.env);
      if (reason !== undefined)
        notice(`The browser could not be opened (${reason}). The page: ${page}`);
    },
    write: (text) => void io.stdout.write(text),
    log: {
      write: (line) =>
        report({ type: 'output', stream: 'stderr', line: line.trimEnd(), log: true }),
    },
  };
}
