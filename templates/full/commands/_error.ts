// Decides what people read when a command below this folder throws.
import { defineErrorHandler } from 'virgule';

export default defineErrorHandler((error, { log, commandName }) => {
  if (!(error instanceof RangeError)) return undefined; // Not ours: the usual line is said.
  log.warn({ err: error }, `/${commandName} was asked for too much.`);
  return 'That is more than I can do. Try something smaller.';
});
