/** Returns a URL that is safe to open, which is an http or https URL, else `null`. */
export const safeLink = (url: string): string | null =>
  /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).href : null;
