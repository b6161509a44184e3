import { formatError, isVirguleError } from '@virgule/core/errors';
import type { CreateIo } from './create-io.js';
import { HELP_TEXT, parseFlags, type CreateFlags } from './flags.js';
import {
  CANCELED_JSON,
  CANCELED_TEXT,
  errorJson,
  indent,
  resultJson,
  resultText,
} from './report.js';
import { decide, scaffold, startDev } from './scaffold.js';
import { describeTemplates, listTemplates } from './templates.js';

/** Exit code after Ctrl+C. */
const INTERRUPTED = 130;

/** Runs `create-virgule`. Resolves with its exit code: 0, 1, or 130 after Ctrl+C. */
export async function run(argv: readonly string[], io: CreateIo): Promise<number> {
  // Determined before the flags are parsed, because parsing may fail.
  const json = argv.includes('--json');
  try {
    return await runFlags(parseFlags(argv), io);
  } catch (error) {
    const failed = io.signal.aborted ? INTERRUPTED : 1;
    if (isVirguleError(error)) {
      if (json) io.stdout.write(errorJson(error));
      else io.stderr.write(`${formatError(error)}\n`);
      return failed;
    }
    if (!io.signal.aborted) throw error;
    io.stdout.write(json ? CANCELED_JSON : `\n${CANCELED_TEXT}`);
    return failed;
  }
}

async function runFlags(flags: CreateFlags, io: CreateIo): Promise<number> {
  if (flags.help) {
    const templates = await listTemplates(io.templatesFolder);
    io.stdout.write(HELP_TEXT + indent(describeTemplates(templates)));
  } else if (flags.version) io.stdout.write(`${io.version}\n`);
  else {
    const decisions = await decide(flags, io);
    if (decisions === 'canceled') {
      io.stdout.write(CANCELED_TEXT);
      return 1;
    }
    const result = await scaffold(decisions, io);
    io.stdout.write(flags.json ? resultJson(result) : resultText(result));
    return startDev(decisions, io);
  }
  return 0;
}
