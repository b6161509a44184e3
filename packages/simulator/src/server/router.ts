/** A row of a routing table; `path` may hold `{parameters}`. */
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
  match(method: string, path: string): RouteMatch<T> | undefined;
  /** The methods that a path takes; none when it is unknown. */
  methods(path: string): readonly string[];
}

interface Node<T> {
  readonly children: Map<string, Node<T>>;
  readonly values: Map<string, { readonly value: T; readonly names: readonly string[] }>;
}

/** Stands for any segment. It cannot collide: a literal segment holds no slash. */
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

  /** The nodes that a path leads to, literal segments first. */
  function* walk(
    node: Node<T>,
    segments: readonly string[],
    captured: readonly string[],
  ): Generator<{ node: Node<T>; captured: readonly string[] }> {
    const [segment, ...rest] = segments;
    if (segment === undefined) {
      yield { node, captured };
      return;
    }
    const literal = node.children.get(segment);
    if (literal) yield* walk(literal, rest, captured);
    const any = node.children.get(ANY);
    if (any && segment !== '') yield* walk(any, rest, [...captured, segment]);
  }

  const places = (path: string) => walk(root, path.split('/').slice(1), []);

  return {
    match(method, path) {
      for (const { node, captured } of places(path)) {
        const found = node.values.get(method);
        if (found === undefined) continue;
        const { value, names } = found;
        const parameters = Object.fromEntries(
          names.map((name, index) => [name, decode(captured[index] ?? '')]),
        );
        return { value, parameters };
      }
      return undefined;
    },
    methods: (path) => [...places(path)].flatMap(({ node }) => [...node.values.keys()]),
  };
}

function newNode<T>(): Node<T> {
  return { children: new Map(), values: new Map() };
}

/** A segment that is not proper percent-encoding stays as it is: no id looks like it. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
