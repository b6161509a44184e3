/** The address when it is one that a click may open, else `null`: http and https only. */
export function safeLink(address: string): string | null {
  if (!/^https?:\/\//i.test(address)) return null;
  try {
    const { protocol, href } = new URL(address);
    return protocol === 'http:' || protocol === 'https:' ? href : null;
  } catch {
    return null;
  }
}
