// Chooses the message to users when a command in this folder or below it throws.
import { defineErrorHandler } from 'virgule';

export default defineErrorHandler((error, { log, commandName }) => {
  if (!(error instanceof RangeError)) return undefined; // Use the default message.
  log.warn({ err: error }, `/${commandName} exceeded its limit`);
  return 'That is more than I can do. Try something smaller.';
});
