/** Returns a URL that is safe to open, which is an http or https URL, else `null`. */
export function safeLink(url: string): string | null {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).href : null;
}
