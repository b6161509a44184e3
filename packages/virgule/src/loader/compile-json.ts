import { isRecord } from '@virgule/core/objects';
import { transform } from 'esbuild';
import type { CompiledModule } from './compiled-module.js';

/**
 * Compiles a JSON file to a module with its value as default export; the keys of an object are
 * exports as well, as bundlers have it.
 *
 * @throws what esbuild throws, when the text is not JSON.
 */
export async function compileJson(file: string, text: string): Promise<CompiledModule> {
  // Editors on Windows write it, and bundlers read over it.
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    // esbuild reports the exact place, which JSON.parse does not on every Node.js.
    await transform(json, { loader: 'json', sourcefile: file, logLevel: 'silent' });
    throw error;
  }
  const keys = isRecord(value) ? Object.keys(value) : [];
  return {
    file,
    text,
    async: false,
    requests: [],
    localExports: new Set([...keys, 'default']),
    reexports: new Map(),
    stars: [],
    dynamic: [],
    run({ setExports }) {
      // Parsed again, so that no run sees what another one did to the value.
      const fresh: unknown = JSON.parse(json);
      setExports({
        ...(isRecord(fresh) && fresh),
        default: fresh,
      });
    },
    findSource: (line, column) => ({ line: line + 1, column: column + 1 }),
  };
}
