/**
 * Groups the nodes that are reachable from `roots` into strongly connected components (Tarjan): a single node, or a
 * whole cycle. Components, and the nodes of each, are in the order in which a depth-first walk completes them, so the
 * node by which a cycle was entered is the last one.
 */
export function strongComponents<Node>(
  roots: Iterable<Node>,
  targets: (node: Node) => Iterable<Node>,
): Node[][] {
  const order = new Map<Node, number>();
  const finished = new Map<Node, number>();
  const stack: Node[] = [];
  const onStack = new Set<Node>();
  const components: Node[][] = [];

  const visit = (node: Node): number => {
    const position = order.size;
    order.set(node, position);
    stack.push(node);
    onStack.add(node);
    let low = position;
    for (const target of targets(node)) {
      const seen = order.get(target);
      if (seen === undefined) low = Math.min(low, visit(target));
      else if (onStack.has(target)) low = Math.min(low, seen);
    }
    finished.set(node, finished.size);
    if (low === position) {
      const component = stack.splice(stack.lastIndexOf(node));
      for (const member of component) onStack.delete(member);
      components.push(
        component.toSorted((a, b) => (finished.get(a) ?? 0) - (finished.get(b) ?? 0)),
      );
    }
    return low;
  };

  for (const root of roots) if (!order.has(root)) visit(root);
  return components;
}
