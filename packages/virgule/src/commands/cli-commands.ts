import type { CliCommand } from '../terminal/command.js';
import { build } from './build.js';
import { check } from './check.js';
import { deploy } from './deploy.js';
import { dev } from './dev.js';
import { doctor } from './doctor.js';
import { fuzz } from './fuzz.js';
import { mcp } from './mcp.js';
import { newFile } from './new.js';
import { failed, storage, task } from './operations.js';
import { probe } from './probe.js';
import { run } from './run.js';
import { sim } from './sim.js';
import { simulator } from './simulator.js';
import { start } from './start.js';

const COMMANDS = [
  dev,
  run,
  check,
  doctor,
  probe,
  sim,
  mcp,
  fuzz,
  deploy,
  build,
  start,
  task,
  storage,
  failed,
  newFile,
  simulator,
];

/** Commands by name. Each imports its own modules when it runs, so that no command waits for the modules of another. */
export const CLI_COMMANDS: Readonly<Record<string, CliCommand>> = Object.fromEntries(
  // Erases the types of a command's own flags; `readArguments` returns the values that its table declares.
  COMMANDS.map((command) => [command.name, command as unknown as CliCommand]),
);
