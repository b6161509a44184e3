import { countOf, showControls, showOnOneLine, showOutput } from '@virgule/core/text';
import { createColors } from '../../terminal/colors.js';
import { countRoutes } from '../../terminal/count-routes.js';
import { cutTo, widthOf } from '../../terminal/fit-line.js';
import { fittedError } from '../../terminal/print-problems.js';
import { hangText, wrapText } from '../../terminal/text-table.js';
import { createLogText, timeOfDay } from '../../terminal/log-text.js';
import { fromSimProblem } from '../../project/project-problems.js';
import type { DevReport } from './dev-report.js';
import type { CommandChanges } from '../ipc.js';
import { keysOn } from './listen-for-keys.js';

export interface DevTextOptions {
  readonly color: boolean;
  readonly version: string;
  /** Wall-clock time, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns the current width of the terminal; `Infinity` off a terminal, where lines are not cut. */
  readonly columns: () => number;
  /** True if keys work. */
  readonly keys: boolean;
  /** True if dev ends right after its start, so that hints about later steps are omitted. */
  readonly once?: boolean | undefined;
}

/** Maximum column of durations at the right edge, regardless of the terminal's width. */
const WIDEST = 100;
/** Matches the file of an event that occurs when the bot connects. */
const READY = /^(?:src\/)?events\/(?:.+\/)?ready\.\w+$/i;

/** `10:21:07 ↻ ` */
const HEAD_COLUMNS = 11;

/** Formats the reports of a dev server for a terminal. */
export function createDevText(options: DevTextOptions): (report: DevReport) => string {
  const { color, now, keys } = options;
  const { cyan, dim, green, red, yellow } = createColors(color);
  /** Number of valid commands and event handlers at the start. */
  let startCount = 0;
  const describeLogLine = createLogText({ color, now, columns: options.columns });

  /** Returns a line that fits the terminal: first the detail is dropped, then the end of the subject (`about`) is cut. */
  function line(mark: string, about: string, more = '', ms?: number): string {
    const columns = options.columns();
    const subject = showOnOneLine(about);
    const detail = showOnOneLine(more);
    const head = `${dim(timeOfDay(now()))} ${mark} `;
    const figure = ms === undefined ? '' : `${ms} ms`;
    const full = `${head}${subject}${detail && `  ${dim(detail)}`}`;
    if (columns === Infinity) return `${full}${figure && `  ${dim(figure)}`}\n`;
    const width = Math.min(columns, WIDEST) - (figure ? figure.length + 2 : 0);
    const room = (figure ? width : columns) - HEAD_COLUMNS;
    const fits = widthOf(full, columns) <= HEAD_COLUMNS + room;
    const left = fits ? full : head + cutTo(subject, room);
    if (!figure) return `${left}\n`;
    return `${left}${' '.repeat(Math.max(width - widthOf(left), 0) + 2)}${dim(figure)}\n`;
  }

  /** Returns a line for each registered change, such as `+ /skip` and `~ /play`, or one line for many. */
  function changesLines({ added, changed, removed }: CommandChanges): string {
    const groups: [string, readonly string[], string][] = [
      [red('-'), removed, 'removed'],
      [yellow('~'), changed, 'changed, registered'],
      [green('+'), added, 'new, registered'],
    ];
    return groups
      .filter(([, names]) => names.length > 0)
      .map(([mark, names, what]) => {
        const subject = names.length > 3 ? countOf(names.length, 'command') : slashed(names);
        return line(mark, subject, what);
      })
      .join('');
  }

  function planLine({ added, changed, removed }: CommandChanges): string {
    const parts = [
      removed.length > 0 && `${removed.length} to delete`,
      changed.length > 0 && `${changed.length} to change`,
      added.length > 0 && `${added.length} to add`,
    ].filter(Boolean);
    if (parts.length === 0) return line(green('✓'), 'commands', 'up to date');
    const how = keys ? 'press d to see the plan' : 'run `virgule deploy`';
    return line(yellow('!'), `commands: ${parts.join(', ')}`, how);
  }

  type Problems = Extract<DevReport, { type: 'problems' }>;
  function answeringText({ answering, fresh }: Problems): string {
    if (!answering) return 'The bot is stopped. Save a file to restart it.';
    if (!fresh) return 'The last working version still answers.';
    return startCount > 0
      ? 'The other files answer. Fix these and save.'
      : 'Nothing answers yet. Fix the problems and save.';
  }

  function problemsText(report: Problems): string {
    const { problems } = report;
    const frames = problems.map((problem) =>
      fittedError(fromSimProblem(problem), options.columns(), { strong: red, dim }),
    );
    const last = options.once
      ? countOf(problems.length, 'problem') + '.'
      : dim(answeringText(report));
    return `\n${frames.join('\n\n')}\n\n${last}\n`;
  }

  return (report) => {
    switch (report.type) {
      case 'ready':
        startCount = report.commands + report.events;
        return devBanner(report, options);
      case 'loading': {
        const seconds = `${(report.ms / 1_000).toFixed(1)} s`;
        const why =
          report.imports === undefined ? seconds : `imports ${report.imports}, ${seconds}`;
        return line(dim('…'), `loading ${report.file}`, `(${why})`);
      }
      case 'reload': {
        const { files, evaluated, commands, ms } = report;
        const others = evaluated - files.length;
        const subject = files.length > 3 ? countOf(files.length, 'file') : files.join(', ');
        const detail = [
          others > 0 && countOf(others, 'importer'),
          files.some((file) => READY.test(file)) && 'runs when the bot connects again',
          report.problems && `${countOf(report.problems, 'problem')} left`,
        ];
        return (
          line(green('↻'), subject, detail.filter(Boolean).join(', '), ms) +
          (commands ? changesLines(commands) : '')
        );
      }
      case 'restart': {
        const { reason, ms } = report;
        return line(yellow('↻'), `restarted (${reason})`, 'the connection was kept', ms);
      }
      case 'problems':
        return problemsText(report);
      case 'fixed':
        return line(green('✓'), 'fixed', 'no problems left');
      case 'lost': {
        const subject = `the bot's process ended: ${report.how}`;
        return line(red('✗'), subject, 'restarting; events are queued');
      }
      case 'dropped': {
        const subject = `${countOf(report.events, 'event')} timed out waiting for the bot`;
        return line(yellow('!'), subject, 'dropped');
      }
      case 'expired': {
        const { commands } = report;
        return line(red('✗'), `${countOf(commands.length, 'command')} expired`, slashed(commands));
      }
      case 'plan':
        return planLine(report);
      case 'notice':
        // Printed in full, because a notice contains instructions.
        return `${dim(timeOfDay(now()))} ${cyan('i')} ${hangText(showControls(report.text), options.columns(), HEAD_COLUMNS)}\n`;
      case 'output':
        return report.log ? describeLogLine(report.line) : `${showOutput(report.line, color)}\n`;
    }
  };
}

const slashed = (names: readonly string[]): string => names.map((name) => `/${name}`).join(', ');

/** Returns the facts about the start. */
function devBanner(facts: Extract<DevReport, { readonly type: 'ready' }>, options: DevTextOptions) {
  const { page, baseUrl, live, bot, ms, restored, answering } = facts;
  const { color, version, keys, once = false } = options;
  const columns = options.columns();
  const { bold, cyan, dim, green, inverse } = createColors(color);

  const address = showOnOneLine(live ? baseUrl : (page ?? baseUrl));
  const rows: [name: string, value: string, note: string][] = [
    live
      ? ['Platform', cyan(address), 'nothing is registered automatically']
      : ['Playground', cyan(address), 'a simulator; no account needed'],
    [
      'Bot',
      `${showOnOneLine(bot)}, ${answering === false ? 'not running, see below' : countRoutes(facts)}`,
      '',
    ],
  ];
  if (restored !== undefined && restored > 0)
    rows.push(['Chat', 'continued from the last run', '--fresh starts empty']);

  if (once && !live) rows.shift();
  const hint = keys
    ? keysOn(live).map(({ key, action }) => `${key} ${action}`)
    : ['Save a file to reload it.', 'Ctrl+C stops.'];
  return [
    '',
    `  ${bold(green('virgule'))} ${version}  ${live ? `${inverse(' LIVE ')}  ` : ''}${dim(`${once ? 'checked' : 'ready'} in ${ms} ms`)}`,
    '',
    ...rows.map(([name, value, note]) => {
      const head = `  ${green('➜')}  ${name.padEnd(10)}  `;
      const full = head + value + (note && `  ${dim(note)}`);
      if (widthOf(full, columns) <= columns) return full;
      // A complete address is more useful than a short line.
      return head + (value.includes('://') ? value : cutTo(value, columns - widthOf(head)));
    }),
    '',
    ...(once
      ? []
      : [...wrapText(hint.join(' · '), columns - 2).map((text) => dim(`  ${text}`)), '']),
    '',
  ].join('\n');
}
