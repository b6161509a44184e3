// `virgule-simulator`: the simulator alone, for a bot in any language.
import { parseArgs } from 'node:util';
import { formatError, isVirguleError } from '@virgule/core/errors';
import {
  PROFILE_NAMES,
  profileNamed,
  PROGRAM_FLAGS,
  type ProgramFlags,
} from '@virgule/core/profiles';
import { serveSimulator } from '../program.js';

const rows = Object.entries({ ...PROGRAM_FLAGS, help: { about: 'Show this help' } }).map(
  ([name, flag]) =>
    `  ${`--${name} ${'value' in flag ? flag.value : ''}`.padEnd(14)} ${flag.about}`,
);
const HELP = `Starts the chat platform on this machine, with a chat page, for a bot in any language.

${rows.join('\n')}

Ctrl+C stops it.
`;

async function run(): Promise<number> {
  const options = Object.entries(PROGRAM_FLAGS).map(
    ([name, { type }]) => [name, { type: type === 'boolean' ? type : 'string' }] as const,
  );
  const { values } = parseArgs({
    options: { ...Object.fromEntries(options), help: { type: 'boolean', short: 'h' } },
  });
  if (values['help'] === true) {
    process.stdout.write(HELP);
    return 0;
  }
  // The types are those of the table, but a port is not a number yet.
  const {
    port,
    profile: name = 'default',
    ...flags
  } = values as Omit<ProgramFlags, 'port'> & {
    readonly port?: string;
  };
  const profile = profileNamed(name);
  if (profile === undefined)
    throw new Error(`--profile must be one of ${PROFILE_NAMES.join(', ')}, saw ${name}.`);
  const { stdout, stderr } = process;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stop.abort());
  return serveSimulator(
    { ...flags, ...(port !== undefined && { port: Number(port) }) },
    { cwd: process.cwd(), stdout, stderr, interrupt: stop.signal },
    { profile },
  );
}

run().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${isVirguleError(error) ? formatError(error) : String(error)}\n`);
    process.exitCode = 1;
  },
);
