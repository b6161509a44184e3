import { defineErrors, bugError, userError } from '@virgule/core/errors';
import { didYouMean } from '@virgule/core/text';

/** What every error of the loader says about the place. */
interface Place {
  /** The file, relative to the project. */
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The lines around the place as plain text; empty when the place is unknown. */
  readonly frame: string;
}

interface ImportPlace extends Place {
  /** What the import names, as written. */
  readonly specifier: string;
}

interface Reason extends Place {
  /** What was wrong, as the parser says it. */
  readonly reason: string;
}

interface Advice {
  /** What to do about this very case, where it is known. */
  readonly suggestion?: string | undefined;
}

const at = ({ file, line, column }: Place): string =>
  line === undefined ? file : `${file}:${line}${column === undefined ? '' : `:${column}`}`;

const MAX_SHOWN_EXPORTS = 20;

function exportAdvice(name: string, available: readonly string[]): string {
  if (available.length === 0) return 'That module exports nothing.';
  const meant = didYouMean(name, available);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  const hidden = available.length - MAX_SHOWN_EXPORTS;
  const shown = available.slice(0, MAX_SHOWN_EXPORTS).join(', ');
  return `It exports: ${shown}${hidden > 0 ? ` and ${hidden} more` : ''}.`;
}

/** The errors of loading and reloading the files of a project. */
export const loaderErrors = defineErrors({
  E_SYNTAX: userError<Reason>({
    message: (details) => `${at(details)} cannot be read: ${details.reason}`,
    hint: 'Fix the line and save; the file reloads automatically.',
  }),
  E_LOAD_FAILED: userError<Reason & Advice & { readonly dependency?: string | undefined }>({
    message: (details) =>
      details.dependency === undefined
        ? `${at(details)} threw while it was loaded: ${details.reason}`
        : `${at(details)} imports "${details.dependency}", which failed to load: ${details.reason}`,
    hint: ({ dependency, suggestion }) =>
      suggestion ??
      (dependency === undefined
        ? 'Code outside of functions runs when the file is loaded. Fix the line and save.'
        : 'Node.js does not load a failed package again: fix it, then restart.'),
  }),
  E_LOAD_STUCK: userError<Place & { readonly seconds: number }>({
    message: ({ file, seconds }) =>
      `${file} was not loaded within ${seconds} s: a top-level await in it does not settle.`,
    hint: 'Wait inside a function instead. Move slow startup work to services.ts.',
  }),
  E_MODULE_NOT_FOUND: userError<ImportPlace & Advice & { readonly importer: boolean }>({
    message: (details) =>
      details.importer
        ? `${at(details)} imports "${details.specifier}", which does not exist.`
        : `The file ${details.file} does not exist.`,
    hint: ({ suggestion }) => suggestion,
  }),
  E_EXPORT_MISSING: userError<
    ImportPlace & Advice & { readonly name: string; readonly available: readonly string[] }
  >({
    message: (details) =>
      `${at(details)} imports "${details.name}" from "${details.specifier}", which does not export it.`,
    hint: ({ name, available, suggestion }) =>
      suggestion ??
      `${exportAdvice(name, available)} If the name is a type, write \`import type\`.`,
  }),
  E_TSCONFIG_INVALID: userError<Reason>({
    message: ({ file, reason }) => `${file} cannot be used: ${reason}`,
    hint: 'Fix the file. It decides about `paths` and how TypeScript is compiled.',
  }),
  E_LOADER_CLOSED: bugError<{ readonly file: string }>({
    message: ({ file }) => `${file} was requested from a closed loader.`,
  }),
});
