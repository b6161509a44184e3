import { raceAbort } from '@virgule/core/abort';
import { systemClock } from '@virgule/core/clock';
import { showControls } from '@virgule/core/text';
import { createColors } from '../terminal/colors.js';
import type { DoctorLine } from '../doctor/doctor-line.js';
import { diagnose } from '../doctor/diagnose.js';
import { createLoader } from '../loader/create-loader.js';
import { defineCliCommand } from '../terminal/command.js';
import { MODE_FLAG } from '../terminal/help.js';

/** Time limit for each answer of the platform, in milliseconds. */
const DEADLINE_MS = 10_000;

export const doctor = defineCliCommand({
  name: 'doctor',
  words: '',
  about: 'Diagnose the environment: Node.js, packages, token, gateway, clock',
  flags: {
    ...MODE_FLAG,
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  exits: { 0: 'nothing fails; there may be warnings', 1: 'something fails' },
  examples: ['virgule doctor', 'virgule doctor --json'],
  async run({ flags }, io) {
    const lines = diagnose({
      root: io.cwd,
      mode: flags.mode ?? 'production',
      env: io.env,
      redact: io.redact,
      nodeVersion: io.nodeVersion,
      importModule: createLoader({ root: io.cwd }).importModule,
      clock: systemClock,
      deadlineMs: DEADLINE_MS,
      signal: io.interrupt,
    });
    const toText = createLineText(io.color);
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
  },
});

/** Width of the longest name, so that results are aligned. */
const NAME_WIDTH = 10;

function createLineText(color: boolean): (line: DoctorLine) => string {
  const { green, red, yellow, dim } = createColors(color);
  const marks = { ok: green('ok  '), warn: yellow('warn'), fail: red('fail') };
  const indent = ' '.repeat('ok  '.length + NAME_WIDTH + 4);
  return ({ name, status, message, hint }) => {
    const advice =
      hint === undefined ? '' : `${indent}${dim(`Try:  ${showControls(hint, indent)}`)}\n`;
    return `${marks[status]}  ${name.padEnd(NAME_WIDTH)}  ${showControls(message, indent)}\n${advice}`;
  };
}
