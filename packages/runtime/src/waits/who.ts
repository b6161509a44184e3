/** Whom a command listens to: all users except the bot itself, or those with these ids. */
export type Who = 'anyone' | readonly string[];

/**
 * Returns a test for user ids, from the member `key` of some options. Without the member it is anyone. A
 * member of `undefined`, which JavaScript may pass against the types, is no one: the user is unknown
 * then, and a confirmation by anyone would be unsafe. A single id is that user.
 */
export function listensTo<Key extends string>(
  options: { readonly [Name in Key]?: Who },
  key: Key,
): (userId: string) => boolean {
  const who: Who | undefined = key in options ? options[key] : 'anyone';
  if (who === 'anyone') return () => true;
  const ids = new Set(typeof who === 'string' ? [who] : who);
  return (userId) => ids.has(userId);
}
