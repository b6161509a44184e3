// Runs around every command below this folder.
import { defineMiddleware } from 'virgule';

export default defineMiddleware(async ({ locals, clock }, next) => {
  locals.startedAtMs = clock.now();
  await next();
});

declare module 'virgule' {
  interface Locals {
    /** When the command began, in milliseconds since 1970. */
    startedAtMs: number;
  }
}
