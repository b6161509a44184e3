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

  return {
    match(method, path) {
      for (const { node, captured } of placesOf(root, path)) {
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
    methods: (path) => placesOf(root, path).flatMap(({ node }) => [...node.values.keys()]),
  };
}

/** A node that a path leads to, and what stands in the path for its parameters. */
interface Place<T> {
  readonly node: Node<T>;
  readonly captured: readonly string[];
}

/** Where a path leads, literal segments first. */
function placesOf<T>(root: Node<T>, path: string): readonly Place<T>[] {
  let places: readonly Place<T>[] = [{ node: root, captured: [] }];
  for (const segment of path.split('/').slice(1)) {
    const next: Place<T>[] = [];
    for (const { node, captured } of places) {
      const literal = node.children.get(segment);
      if (literal) next.push({ node: literal, captured });
      const any = segment === '' ? undefined : node.children.get(ANY);
      if (any) next.push({ node: any, captured: [...captured, segment] });
    }
    places = next;
  }
  return places;
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
