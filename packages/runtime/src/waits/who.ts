/** Whom a command listens to: everybody but the bot itself, or the users with these ids. */
export type Who = 'anyone' | readonly string[];

/** Reads it once; an id alone, which JavaScript may give against the types, is that user. */
export function listensTo(who: Who = 'anyone'): (userId: string) => boolean {
  if (who === 'anyone') return () => true;
  const ids = new Set(typeof who === 'string' ? [who] : who);
  return (userId) => ids.has(userId);
}
