import { extname } from 'node:path';
import {
  changeError,
  errorCode,
  errorText,
  readableError,
  VirguleError,
  type ErrorContext,
} from '@virgule/core/errors';
import { runtimeErrors } from '@virgule/runtime/errors';
import type { TransformFailure } from 'esbuild';
import { exportNames } from './bindings.js';
import { codeFrame } from './code-frame.js';
import type { CompiledModule, GraphModule } from './graph-module.js';
import type { Resolution } from './create-resolver.js';
import { loaderErrors, type PlaceDetails } from './loader-errors.js';
import { STUCK_MS } from './loading-steps.js';
import { splitSpecifier } from './packages.js';
import type { ProjectPaths } from './project-paths.js';
import { whyUnreadable } from './read-source.js';
import { syntaxPlace, thrownAt } from './stack-traces.js';

/** Place in a file with this text. */
type Place = Omit<PlaceDetails, 'frame'> & { readonly text: string };

const NO_TEXT = {
  reason: 'it is not text in UTF-8, perhaps UTF-16',
  suggestion: 'Save the file with the encoding UTF-8.',
};

/** Advice for a name that is read before its file has run. */
const CIRCULAR =
  'If two files import each other, move what both use while they are loaded to a third file.';

/** Describes failures of files, each with its place. */
export class LoadFailures {
  readonly #paths: ProjectPaths;

  constructor(paths: ProjectPaths) {
    this.#paths = paths;
  }

  /** Describes a file that could not be compiled. */
  syntax(file: string, text: string, error: unknown): VirguleError {
    if (text.includes('\0'))
      return this.#make(loaderErrors.E_SYNTAX, { file, text: '' }, NO_TEXT, error);
    const fault = faultOf(error);
    const stack = error instanceof Error ? error.stack : undefined;
    const place = fault ? { file, text, ...fault } : syntaxPlace(stack ?? '');
    const reason = fault?.reason ?? errorText(error);
    return this.#make(loaderErrors.E_SYNTAX, place ?? { file, text }, { reason }, error);
  }

  /** Describes code that threw. An error that was described here before is returned unchanged. */
  threw(module: CompiledModule, thrown: unknown): VirguleError {
    const error = readableError(thrown);
    const place = thrownAt(error) ?? module;
    if (!(error instanceof VirguleError)) {
      const reason = errorText(error);
      const suggestion = reason.endsWith('before initialization') ? CIRCULAR : undefined;
      return this.#make(loaderErrors.E_LOAD_FAILED, place, { reason, suggestion }, error);
    }
    if ('frame' in error.details) return error;
    // The framework rejected a definition of the file; the framework's own message is the most precise one.
    const refused = (details: object, { location }: ErrorContext): VirguleError =>
      changeError(error, { details, location: error.location ?? location, cause: error });
    return this.#make(refused, place, error.details);
  }

  /** Describes a module whose top-level await does not settle, or whose synchronous code does not end. */
  stuck(module: CompiledModule, busy: boolean): VirguleError {
    return this.#make(loaderErrors.E_LOAD_STUCK, module, { seconds: STUCK_MS / 1_000, busy });
  }

  /** Describes an imported dependency that threw. */
  dependency(module: CompiledModule, dependency: string, error: unknown): VirguleError {
    const suggestion = fileTypeAdvice(dependency, error);
    const others = { reason: errorText(error), dependency, suggestion };
    return this.#make(loaderErrors.E_LOAD_FAILED, importPlace(module, dependency), others, error);
  }

  /** Describes an import of a file or package that does not exist. */
  notFound(module: CompiledModule, specifier: string, missing?: Resolution): VirguleError {
    const suggestion = adviceFor(specifier, missing, module.file, this.#paths);
    const others = { specifier, importer: true, suggestion };
    return this.#make(loaderErrors.E_MODULE_NOT_FOUND, importPlace(module, specifier), others);
  }

  /** Describes an import of a name that the other module does not export. */
  exportMissing(
    module: CompiledModule,
    { specifier, name, target }: { specifier: string; name: string; target: GraphModule },
  ): VirguleError {
    const others = { specifier, name, available: exportNames(target) };
    return this.#make(loaderErrors.E_EXPORT_MISSING, importPlace(module, specifier), others);
  }

  /** Describes a file that does not exist, or cannot be read. */
  noFile(file: string): VirguleError {
    const place = { file, text: '' };
    const path = this.#paths.display(file);
    const reason = whyUnreadable(file);
    return reason === undefined
      ? this.#make(loaderErrors.E_MODULE_NOT_FOUND, place, { specifier: path, importer: false })
      : this.#make(runtimeErrors.E_PROJECT_UNREADABLE, place, { path, reason });
  }

  /** Creates an error with a place and a code frame. */
  #make<Others extends object>(
    create: (details: NoInfer<PlaceDetails & Others>, context: ErrorContext) => VirguleError,
    { file, text, line, column }: Place,
    others: Others,
    cause?: unknown,
  ): VirguleError {
    const frame = line === undefined ? '' : codeFrame(text, { line, column });
    const at = { location: { file, line, column }, cause };
    return create({ file: this.#paths.display(file), line, column, frame, ...others }, at);
  }
}

function importPlace(module: CompiledModule, specifier: string): Place {
  const { file, text } = module;
  const quoted = ["'", '"', '`'].map((quote) => quote + specifier + quote);
  const at = Math.min(...quoted.map((each) => text.indexOf(each)).filter((index) => index >= 0));
  if (at === Infinity) return { file, text };
  const lines = text.slice(0, at).split(/\r\n|\r|\n/);
  return { file, text, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Returns the hint for an import that does not resolve. */
function adviceFor(
  specifier: string,
  missing: Resolution | undefined,
  importer: string,
  paths: ProjectPaths,
) {
  if (missing?.kind !== 'missing') return 'The package is installed, but it has no such entry.';
  if (missing.target !== undefined) {
    // TypeScript imports a file by the name of its output.
    const isTyped = /\.[cm]?tsx?$/.test(importer);
    const file = isTyped ? missing.target.replace(/\.([cm]?)js$/, '.$1ts') : missing.target;
    return `Correct the path of the import, or create ${paths.display(file)}.`;
  }
  const { name } = splitSpecifier(specifier);
  return `Install it (npm install ${name}), or check its name.`;
}

/** Returns the hint for an imported file whose type Node.js cannot run. */
function fileTypeAdvice(specifier: string, error: unknown): string | undefined {
  const file = specifier.replace(/[?#].*/, '');
  if (errorCode(error) !== 'ERR_UNKNOWN_FILE_EXTENSION') return undefined;
  if (errorText(error).includes('".cts"'))
    return 'This version of Node.js does not run .cts: rename the file to .ts, with import and export, or to .cjs without types.';
  return file.startsWith('.')
    ? `Only code and JSON can be imported, not ${extname(file)}. Read the file with node:fs: readFileSync(new URL('${file}', import.meta.url), 'utf8').`
    : undefined;
}

/** Returns the first fault in an error of esbuild; `undefined` for any other error. */
function faultOf(error: unknown) {
  const [first] = (error as Partial<TransformFailure> | null)?.errors ?? [];
  if (!first?.location) return first && { reason: first.text };
  const { line, column, lineText } = first.location;
  // esbuild counts columns in bytes from 0.
  const before = Buffer.from(lineText).subarray(0, column).toString();
  return { reason: first.text, line, column: before.length + 1 };
}
