import { errorText, readableError, VirguleError, type SourceLocation } from '@virgule/core/errors';
import type { TransformFailure } from 'esbuild';
import { exportNames } from './bindings.js';
import { codeFrame } from './code-frame.js';
import type { CompiledModule } from './compiled-module.js';
import type { Resolution } from './create-resolver.js';
import type { GraphModule } from './graph-module.js';
import { loaderErrors } from './loader-errors.js';
import { STUCK_MS } from './loading-steps.js';
import { splitSpecifier } from './packages.js';
import type { ProjectPaths } from './project-paths.js';
import type { ScriptTable } from './script-table.js';
import { thrownAt } from './stack-traces.js';

/** Describes what went wrong with a file, and where in it. */
export interface LoadFailures {
  /** Describes a file that could not be compiled. */
  syntax(file: string, text: string, error: unknown): VirguleError;
  /** Describes code that threw. An error that was made here already is returned unchanged. */
  threw(module: CompiledModule, error: unknown): VirguleError;
  /** Describes code that waits for something that does not come. */
  stuck(module: CompiledModule): VirguleError;
  /** Describes an imported dependency that threw. */
  dependency(module: CompiledModule, specifier: string, error: unknown): VirguleError;
  /** Describes an import of something that does not exist. */
  notFound(module: CompiledModule, specifier: string, missing?: Resolution): VirguleError;
  /** Describes an import of a name that the other module does not have. */
  exportMissing(
    module: CompiledModule,
    specifier: string,
    name: string,
    target: GraphModule,
  ): VirguleError;
  /** Describes a requested file that does not exist. */
  noFile(file: string): VirguleError;
}

interface Place {
  readonly file: string;
  readonly text: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export interface LoadFailuresOptions {
  readonly paths: ProjectPaths;
  readonly scripts: ScriptTable;
}

export function createLoadFailures({ paths, scripts }: LoadFailuresOptions): LoadFailures {
  const made = new WeakSet<object>();

  const remember = (error: VirguleError): VirguleError => {
    made.add(error);
    return error;
  };

  /** Returns the details and the context that every error here has. */
  function describe({ file, text, line, column }: Place): {
    details: { file: string; line: number | undefined; column: number | undefined; frame: string };
    location: SourceLocation;
  } {
    const frame = line === undefined ? '' : codeFrame(text, { line, column });
    return {
      details: { file: paths.display(file), line, column, frame },
      location: { file, line, column },
    };
  }

  function importPlace(module: CompiledModule, specifier: string): Place {
    const { file, text } = module;
    const requests = [...module.requests, ...module.dynamic.requests];
    const position = requests.find((request) => request.specifier === specifier)?.position;
    return { file, text, ...(position && module.findSource(position.line, position.column)) };
  }

  return {
    syntax(file, text, error) {
      const { place, reason } = readSyntaxError(file, text, error, scripts);
      const { details, location } = describe(place);
      return remember(loaderErrors.E_SYNTAX({ ...details, reason }, { location, cause: error }));
    },
    threw({ file, text }, thrown) {
      const error = readableError(thrown);
      if (error instanceof VirguleError && made.has(error)) return error;
      const place = thrownAt(error);
      const { details, location } = describe(place ?? { file, text });
      if (!(error instanceof VirguleError)) {
        const reason = errorText(error);
        return remember(
          loaderErrors.E_LOAD_FAILED({ ...details, reason }, { location, cause: error }),
        );
      }
      // The framework refused what the file defines: its own words say it best.
      const { code, kind, message, hint } = error;
      return remember(
        new VirguleError({
          code,
          kind,
          message,
          hint,
          details: { ...details, ...error.details },
          location: error.location ?? location,
          cause: error,
        }),
      );
    },
    stuck({ file, text }) {
      const { details, location } = describe({ file, text });
      const seconds = STUCK_MS / 1_000;
      return remember(loaderErrors.E_LOAD_STUCK({ ...details, seconds }, { location }));
    },
    dependency(module, specifier, error) {
      const { details, location } = describe(importPlace(module, specifier));
      const reason = errorText(error);
      return remember(
        loaderErrors.E_LOAD_FAILED(
          { ...details, reason, dependency: specifier },
          { location, cause: error },
        ),
      );
    },
    notFound(module, specifier, missing) {
      const { details, location } = describe(importPlace(module, specifier));
      const suggestion = adviceFor(specifier, missing, paths);
      return remember(
        loaderErrors.E_MODULE_NOT_FOUND(
          { ...details, specifier, importer: true, suggestion },
          { location },
        ),
      );
    },
    exportMissing(module, specifier, name, target) {
      const { details, location } = describe(importPlace(module, specifier));
      const available = exportNames(target);
      return remember(
        loaderErrors.E_EXPORT_MISSING({ ...details, specifier, name, available }, { location }),
      );
    },
    noFile(file) {
      const { details, location } = describe({ file, text: '' });
      return remember(
        loaderErrors.E_MODULE_NOT_FOUND(
          { ...details, specifier: details.file, importer: false },
          { location },
        ),
      );
    },
  };
}

/** Returns the hint for an import that does not resolve. */
function adviceFor(
  specifier: string,
  missing: Resolution | undefined,
  paths: ProjectPaths,
): string {
  if (missing?.kind !== 'missing') return 'The package is installed, but it has no such entry.';
  if (missing.target !== undefined)
    return `Looked for ${paths.display(missing.target)} and the files it may name. Check the path.`;
  const { name } = splitSpecifier(specifier);
  return OTHER_FRAMEWORKS.test(name)
    ? `Virgule takes the place of ${name}: define commands with defineCommand and events with defineEvent, and import both from 'virgule'.`
    : `Install it (npm install ${name}), or check its name.`;
}

/** Packages of other chat frameworks, whose clients and builders have no use in a bot of Virgule. */
const OTHER_FRAMEWORKS =
  /^(?:discord(?:\.js|\.js-light|eno|x|-api-types|js)|@(?:discordjs|sapphire|discordx|buape|discordeno|slack|guildedjs|grammyjs)\/.+|eris|oceanic\.js|guilded\.js|revolt\.js|grammy|telegraf|koishi|botkit)$/;

interface SyntaxProblem {
  readonly place: Place;
  readonly reason: string;
}

function readSyntaxError(
  file: string,
  text: string,
  error: unknown,
  scripts: ScriptTable,
): SyntaxProblem {
  const first = isTransformFailure(error) ? error.errors[0] : undefined;
  if (!first) {
    const place = error instanceof Error ? scripts.syntaxPlace(error.stack ?? '') : undefined;
    return {
      place: place ?? { file, text },
      reason: errorText(error),
    };
  }
  const { location } = first;
  const place = location && {
    line: location.line,
    column: columnOf(location.lineText, location.column),
  };
  return { place: { file, text, ...place }, reason: first.text };
}

/** Returns the column. esbuild counts columns in bytes from 0. */
function columnOf(line: string, bytes: number): number {
  return Buffer.from(line).subarray(0, bytes).toString().length + 1;
}

function isTransformFailure(error: unknown): error is TransformFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}
