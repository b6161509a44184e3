/** Returns a URL that is safe to open, else `null`: only http and https are. */
export function safeLink(url: string): string | null {
  if (!/^https?:\/\//i.test(url)) return null;
  try {
    const { protocol, href } = new URL(url);
    return protocol === 'http:' || protocol === 'https:' ? href : null;
  } catch {
    return null;
  }
}
