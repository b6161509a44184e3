import type { VirguleError } from '@virgule/core/errors';
import { countOf, showOnOneLine } from '@virgule/core/text';
import type { CreateResult } from './scaffold.js';

export function resultText({ plan, dryRun, folder, template, name, next }: CreateResult): string {
  const count = countOf(plan.write.length, 'file');
  const what = `${count} to ${showOnOneLine(folder)} (template ${template}, package name "${name}")`;
  const kept =
    plan.keep.length === 0 ? '' : `Kept existing files: ${showOnOneLine(plan.keep.join(', '))}\n`;
  const ignore = plan.ignore.length === 0 ? '' : `! Add to .gitignore: ${plan.ignore.join(', ')}\n`;
  return dryRun
    ? `Would write ${what}:\n${indent(plan.write.map(({ path }) => path))}${kept}${ignore}`
    : `Wrote ${what}.\n${kept}${ignore}${next.length === 0 ? '' : `\nNext:\n${indent(next)}`}`;
}

export function resultJson({ plan, ...result }: CreateResult): string {
  const files = plan.write.map(({ path }) => path);
  return jsonLine({ ok: true, ...result, files, kept: plan.keep, ignore: plan.ignore });
}

export function errorJson({ code, message, hint, docsUrl, details }: VirguleError): string {
  return jsonLine({ ok: false, error: { code, message, hint, docsUrl, details } });
}

export const CANCELED_TEXT = 'Canceled. Nothing was written.\n';
export const CANCELED_JSON = jsonLine({ ok: false, canceled: true });

/** Returns one line of JSON. `v` changes when a field is removed or changes its meaning. */
function jsonLine(value: object): string {
  return `${JSON.stringify({ v: 1, ...value })}\n`;
}

/** Returns each line, shown safely and indented by two spaces. */
export function indent(lines: readonly string[]): string {
  return lines.map((line) => `  ${showOnOneLine(line)}\n`).join('');
}
