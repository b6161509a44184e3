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
      for (const { node, captured } of candidatesFor(root, path)) {
        const found = node.values.get(method);
        if (found === undefined) continue;
        const { value, names } = found;
        const parameters: Record<string, string> = {};
        for (const [index, name] of names.entries())
          parameters[name] = decode(captured[index] ?? '');
        return { value, parameters };
      }
      return undefined;
    },
    methods: (path) => candidatesFor(root, path).flatMap(({ node }) => [...node.values.keys()]),
  };
}

/** A node that matches a path, with the segments that match its parameters. */
interface Candidate<T> {
  readonly node: Node<T>;
  readonly captured: readonly string[];
}

/** Returns the nodes that match a path, those with literal segments first. */
function candidatesFor<T>(root: Node<T>, path: string): readonly Candidate<T>[] {
  let candidates: readonly Candidate<T>[] = [{ node: root, captured: [] }];
  for (const segment of path.split('/').slice(1)) {
    const next: Candidate<T>[] = [];
    for (const { node, captured } of candidates) {
      const literal = node.children.get(segment);
      if (literal) next.push({ node: literal, captured });
      const any = segment === '' ? undefined : node.children.get(ANY);
      if (any) next.push({ node: any, captured: [...captured, segment] });
    }
    candidates = next;
  }
  return candidates;
}

function newNode<T>(): Node<T> {
  return { children: new Map(), values: new Map() };
}

/** Decodes a segment. Invalid percent-encoding is kept: it matches no id. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
