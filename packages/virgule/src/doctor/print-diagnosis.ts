import { raceAbort } from '@virgule/core/abort';
import { showControls } from '@virgule/core/text';
import { createColors } from '../terminal/colors.js';
import { hangText } from '../terminal/text-table.js';
import type { Io } from '../terminal/io.js';
import { diagnose } from './diagnose.js';
import type { DoctorLine } from './doctor-line.js';

/** Prints each check as it ends. Resolves with the exit code of `virgule doctor`. */
export async function printDiagnosis(
  flags: { readonly mode?: string; readonly json?: boolean },
  io: Io,
): Promise<number> {
  const lines = diagnose(io, flags.mode ?? 'production');
  const toText = createLineText(io);
  const checks: DoctorLine[] = [];
  // Code of the project may never finish loading, so an interrupt ends the wait.
  const next = () => raceAbort(lines.next(), io.interrupt);
  for (let step = await next(); step.done !== true; step = await next()) {
    checks.push(step.value);
    if (!flags.json) io.stdout.write(toText(step.value));
  }
  const ok = checks.every(({ status }) => status !== 'fail');
  if (flags.json) io.stdout.write(`${JSON.stringify({ v: 1, ok, checks })}\n`);
  return ok ? 0 : 1;
}

/** Width of the longest name, so that results are aligned. */
const NAME_WIDTH = 10;

function createLineText({ color, columns }: Io): (line: DoctorLine) => string {
  const { green, red, yellow, dim } = createColors(color);
  const marks = { ok: green('ok  '), warn: yellow('warn'), fail: red('fail') };
  const indent = ' '.repeat('ok  '.length + NAME_WIDTH + 4);
  const fit = (text: string): string =>
    hangText(showControls(text, indent), columns, indent.length);
  return ({ name, status, message, hint }) => {
    const advice = hint === undefined ? '' : `${indent}${dim(fit(`Try:  ${hint}`))}\n`;
    return `${marks[status]}  ${name.padEnd(NAME_WIDTH)}  ${fit(message)}\n${advice}`;
  };
}
