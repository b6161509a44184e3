import type { Log } from '@virgule/core/log';

/** What refuses a token that no header can carry: the platform need not be asked. */
export const NO_TOKEN = 'it is empty or has characters no token has';

/** Returns the token as it is sent. Pasted blanks and a pasted `Bot ` in front are removed, and that is logged. */
export function cleanToken(token: string, log: Log): string {
  // A variable of the environment that is not set: refused by the first call, as an empty token is.
  if (typeof token !== 'string') return '';
  const clean = token.trim().replace(/^Bot\s+/i, '');
  if (clean !== token) log.warn({}, 'removed whitespace or "Bot " around the bot token');
  return clean;
}

export function isSendable(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

/** `text` without the token, for texts that others wrote and that end up in errors and logs. */
export function redact(text: string, token: string): string {
  return token === '' ? text : text.replaceAll(token, '[token]');
}
