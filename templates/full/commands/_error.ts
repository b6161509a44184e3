// Chooses the message to users when a command in this folder or below it throws.
import { defineErrorHandler, UserError } from 'virgule';

export default defineErrorHandler((error) => {
  if (!(error instanceof UserError)) return undefined; // Use the default message.
  return `⚠️ ${error.message}`;
});
