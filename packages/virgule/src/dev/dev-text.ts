import { formatError } from '@virgule/core/errors';
import pico from 'picocolors';
import { createLogText, timeOfDay } from '../cli/log-text.js';
import { fromSimProblem } from '../project/project-problems.js';
import type { DevReport } from './dev-report.js';

export interface DevTextOptions {
  readonly color: boolean;
  readonly version: string;
  /** Wall-clock time, in milliseconds since the epoch. */
  readonly now: () => number;
}

/** What a dev server tells, as lines for a terminal. */
export function createDevText({
  color,
  version,
  now,
}: DevTextOptions): (report: DevReport) => string {
  const { bold, cyan, dim, green, red, yellow } = pico.createColors(color);
  const clock = (): string => dim(timeOfDay(now()));
  const describeLogLine = createLogText({ color, now });
  const line = (mark: string, subject: string, detail = ''): string =>
    `${clock()} ${mark} ${subject}${detail && `  ${dim(detail)}`}\n`;

  function banner(report: Extract<DevReport, { type: 'ready' }>): string {
    const { page, bot, commands, events, ms } = report;
    return [
      '',
      `  ${bold(green('virgule'))} ${version}  ${dim(`ready in ${ms} ms`)}`,
      '',
      `  ${green('➜')}  Playground  ${cyan(page)}`,
      `  ${green('➜')}  Bot         ${bot}, ${count(commands, 'command')}, ${count(events, 'event handler')}`,
      '',
      dim('  Save a file and the next answer is new. Ctrl+C stops.'),
      '',
      '',
    ].join('\n');
  }

  return (report) => {
    switch (report.type) {
      case 'ready':
        return banner(report);
      case 'reload': {
        const others = report.evaluated - report.files.length;
        const detail = [
          `${report.ms} ms`,
          others > 0 && `${others} ${others === 1 ? 'dependant' : 'dependants'}`,
          report.synced && 'commands synced',
        ];
        return line(green('↻'), report.files.join(', '), detail.filter(Boolean).join(', '));
      }
      case 'restart':
        return line(
          yellow('↻'),
          `restarted: ${report.reason}`,
          `${report.ms} ms, the connection was kept`,
        );
      case 'problems':
        return `${report.problems.map((problem) => formatError(fromSimProblem(problem), { strong: red, dim })).join('\n\n')}\n${dim(report.answering ? 'What ran before goes on answering.' : 'No bot runs now. The next change starts it again.')}\n`;
      case 'lost':
        return line(red('✗'), `the bot's process ended: ${report.how}`, 'starting it again');
      case 'dropped':
        return line(
          yellow('!'),
          `${count(report.events, 'event')} came while no bot was there, and had to be dropped`,
        );
      case 'output':
        return describeLogLine(report.line);
    }
  };
}

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;
