/** A row of a routing table; `path` may contain `{parameters}`. */
export interface Route<T> {
  readonly method: string;
  readonly path: string;
  readonly value: T;
}

interface RouteMatch<T> {
  readonly value: T;
  /** Decoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface Router<T> {
  /** Returns the row of a request, or `undefined`. */
  match(method: string, path: string): RouteMatch<T> | undefined;
  /** Returns the methods that a path supports; none if it is unknown. */
  methods(path: string): readonly string[];
}

interface Node<T> {
  readonly children: Map<string, Node<T>>;
  readonly values: Map<string, { readonly value: T; readonly names: readonly string[] }>;
}

/** Key for any segment. Literal segments contain no slash, so it is unique. */
const ANY = '/';

export function createRouter<T>(routes: Iterable<Route<T>>): Router<T> {
  const root: Node<T> = newNode();
  for (const { method, path, value } of routes) {
    const names: string[] = [];
    let node = root;
    for (const segment of path.split('/').slice(1)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name !== undefined) names.push(name);
      const key = name === undefined ? segment : ANY;
      const child = node.children.get(key) ?? newNode<T>();
      node.children.set(key, child);
      node = child;
    }
    node.values.set(method, { value, names });
  }

  return {
    match(method, path) {
      const captured: string[] = [];
      const found = find(root, path.split('/'), 1, captured, ({ values }) => values.get(method));
      if (found === undefined) return undefined;
      const { value, names } = found;
      const parameters: Record<string, string> = {};
      for (let at = 0; at < names.length; at += 1)
        parameters[names[at] ?? ''] = decode(captured[at] ?? '');
      return { value, parameters };
    },
    methods(path) {
      const methods: string[] = [];
      find(root, path.split('/'), 1, [], ({ values }) => void methods.push(...values.keys()));
      return methods;
    },
  };
}

/**
 * Returns the first result for a node that matches the segments from `at` on, nodes with literal segments first.
 * `captured` has the segments that match the parameters of that node.
 */
function find<T, Result>(
  node: Node<T>,
  segments: readonly string[],
  at: number,
  captured: string[],
  resultOf: (node: Node<T>) => Result | undefined,
): Result | undefined {
  const segment = segments[at];
  if (segment === undefined) return resultOf(node);
  const literal = node.children.get(segment);
  const found = literal && find(literal, segments, at + 1, captured, resultOf);
  if (found !== undefined || segment === '') return found;
  const any = node.children.get(ANY);
  if (any === undefined) return undefined;
  captured.push(segment);
  const result = find(any, segments, at + 1, captured, resultOf);
  if (result === undefined) captured.pop();
  return result;
}

function newNode<T>(): Node<T> {
  return { children: new Map(), values: new Map() };
}

/** Decodes a segment. Invalid percent-encoding is kept: it matches no id. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
