import type { VirguleError } from '@virgule/core/errors';
import { createImporter } from '../load/import-file.js';
import { type LoadOptions } from '../load/load-project.js';
import { readConfig, type ConfigResult } from './read-config.js';

/** Imports and reads the configuration of a project; a `file` of `null` is a project without one. Never rejects. */
export async function loadConfig(file: string | null, options: LoadOptions): Promise<ConfigResult> {
  if (file === null) return { config: {}, problems: [] };
  const problems: VirguleError[] = [];
  const importFile = createImporter(options.importModule, (problem) => void problems.push(problem));
  const exports = await importFile(file);
  if (!exports) return { config: {}, problems };
  return readConfig(exports['default'], { file, source: options.readSource?.(file) });
}
