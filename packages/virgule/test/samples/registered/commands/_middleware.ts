import { defineMiddleware } from 'virgule';

export default defineMiddleware(async ({ locals, env }, next) => {
  locals.language = env.VERBOSE === true ? 'en' : 'de';
  await next();
});

declare module 'virgule' {
  interface Locals {
    language: 'en' | 'de';
  }
}
