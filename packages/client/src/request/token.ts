import type { Log } from '@virgule/core/log';

/** Reason to refuse a token that no HTTP header can contain, without a request. */
export const NO_TOKEN = 'the token is empty or has invalid characters';

/** Returns the token without surrounding white space and a leading `Bot `. Logs a warning if any was removed. */
export function cleanToken(token: string, log: Log): string {
  // A missing environment variable counts as an empty token, which the first call refuses.
  if (typeof token !== 'string') return '';
  const clean = token.trim().replace(/^Bot\s+/i, '');
  if (clean !== token) log.warn({}, 'removed whitespace or "Bot " around the bot token');
  return clean;
}

export const isSendable = (token: string): boolean => /^[\x21-\x7e]+$/.test(token);

/** Returns `text` without the token. Strings of the platform pass here before errors and logs. */
export const redact = (text: string, token: string): string =>
  token === '' ? text : text.replaceAll(token, '[token]');
