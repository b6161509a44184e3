import { formatError, isVirguleError, type VirguleError } from '@virgule/core/errors';
import { countOf, showOnOneLine } from '@virgule/core/text';
import type { CreateIo } from './create-io.js';
import { HELP_TEXT, parseFlags, type CreateFlags } from './flags.js';
import { decide, runIn, scaffold, type CreateResult } from './scaffold.js';
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
    return decisions.dev ? runIn(decisions, io, decisions.start) : 0;
  }
  return 0;
}

function resultText({ plan, folder, template, name, next }: CreateResult): string {
  const count = countOf(plan.write.length, 'file');
  const what = `${count} to ${showOnOneLine(folder)} (template ${template}, package name "${name}")`;
  const kept =
    plan.keep.length === 0 ? '' : `Kept existing files: ${showOnOneLine(plan.keep.join(', '))}\n`;
  const ignore = plan.ignore.length === 0 ? '' : `! Add to .gitignore: ${plan.ignore.join(', ')}\n`;
  return `Wrote ${what}.\n${kept}${ignore}${next.length === 0 ? '' : `\nNext:\n${indent(next)}`}`;
}

function resultJson({ plan, ...result }: CreateResult): string {
  const files = plan.write.map(({ path }) => path);
  return jsonLine({ ok: true, ...result, files, kept: plan.keep, ignore: plan.ignore });
}

/** Returns one line of JSON. `v` changes when a field is removed or changes its meaning. */
const jsonLine = (value: object): string => `${JSON.stringify({ v: 1, ...value })}\n`;

const errorJson = ({ code, message, hint, docsUrl, details }: VirguleError): string =>
  jsonLine({ ok: false, error: { code, message, hint, docsUrl, details } });

const CANCELED_TEXT = 'Canceled. Nothing was written.\n';
const CANCELED_JSON = jsonLine({ ok: false, canceled: true });

/** Returns each line, shown safely and indented by two spaces. */
const indent = (lines: readonly string[]): string =>
  lines.map((line) => `  ${showOnOneLine(line)}\n`).join('');
