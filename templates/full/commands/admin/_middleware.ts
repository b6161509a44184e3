// Guards the commands of this folder: without `next()` they do not run.
import { defineMiddleware } from 'virgule';

export default defineMiddleware(async ({ serverId, env }, next) => {
  if (env.ADMIN_SERVER_ID !== undefined && serverId !== env.ADMIN_SERVER_ID)
    return 'This works in our own server only.';
  await next();
  return undefined;
});
