/** Returns a URL that is safe to open, which is an http or https URL, else `null`. */
export function safeLink(url: string): string | null {
  if (!/^https?:\/\//i.test(url)) return null;
  try {
    const { protocol, href } = new URL(url);
    return protocol === 'http:' || protocol === 'https:' ? href : null;
  } catch {
    return null;
  }
}
