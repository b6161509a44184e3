/** Returns an error and its causes, each once: handlers may wrap the errors that they catch. */
export function causesOf(error: unknown): readonly unknown[] {
  const errors = new Set<unknown>();
  for (let each = error; each instanceof Error && !errors.has(each); each = each.cause)
    errors.add(each);
  return [...errors];
}
