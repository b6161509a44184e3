import { orUndefined } from '@virgule/core/objects';
import { notFound, Refusal } from '../world/refusal.js';
import type { Incoming } from './exchange.js';

export type Router<T> = ReturnType<typeof createRouter<T>>;

/** Creates a router from a table of routes; `path` may contain `{parameters}`. */
export function createRouter<T>(
  routes: readonly { readonly method: string; readonly path: string; readonly value: T }[],
) {
  const rows = routes.map(({ method, path, value }) => ({
    method,
    value,
    names: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name),
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
    depth: depthOf(path),
  }));
  return {
    /** Returns the value and the decoded parameters of a request, or `undefined`. */
    match(method: string, path: string) {
      const depth = depthOf(path);
      for (const row of rows) {
        // Skips most of the 32 patterns.
        const isMeant = row.method === method && row.depth === depth;
        const found = isMeant ? row.pattern.exec(path) : null;
        if (found === null) continue;
        const parameters: Record<string, string> = {};
        for (const [index, name] of row.names.entries())
          parameters[name] = decode(found[index + 1] ?? '');
        return { value: row.value, parameters };
      }
      return undefined;
    },
    /** Returns the methods that a path supports; an empty list for an unknown path. */
    methods: (path: string): readonly string[] =>
      rows.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
  };
}

/** Returns the match of a request. @throws Refusal if no route matches. */
export function requireMatch<T>(router: Router<T>, { method, path }: Incoming, resource: string) {
  const match = router.match(method, path);
  if (match !== undefined) return match;
  const methods = router.methods(path);
  if (methods.length === 0) throw notFound(resource, path);
  throw new Refusal(405, 'sim_method_not_allowed', `${path} supports only ${methods.join(', ')}.`);
}

/** Returns the number of segments of a path. */
function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}

/** Decodes a segment. Invalid percent-encoding is kept, because such a segment matches no id. */
const decode = (segment: string): string =>
  segment.includes('%') ? (orUndefined(() => decodeURIComponent(segment)) ?? segment) : segment;
