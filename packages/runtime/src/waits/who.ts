/** Whom a command listens to: all users except the bot itself, or those with these ids. */
export type Who = 'anyone' | readonly string[];

/** Returns a test for user ids. A single id, which JavaScript may pass against the types, is that user. */
export function listensTo(who: Who = 'anyone'): (userId: string) => boolean {
  if (who === 'anyone') return () => true;
  const ids = new Set(typeof who === 'string' ? [who] : who);
  return (userId) => ids.has(userId);
}
