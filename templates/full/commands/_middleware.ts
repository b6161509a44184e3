// Runs around every command in this folder and below it.
import { defineMiddleware } from 'virgule';

export default defineMiddleware(async ({ locals, clock }, next) => {
  locals.startedAtMs = clock.now();
  await next();
});

declare module 'virgule' {
  interface Locals {
    /** The start time of the command, in milliseconds since 1970. */
    startedAtMs: number;
  }
}
