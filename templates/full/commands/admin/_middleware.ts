// Guards the commands of this folder: they run only if `next()` is called.
import { defineMiddleware } from 'virgule';

export default defineMiddleware(async ({ serverId, env }, next) => {
  if (env.ADMIN_SERVER_ID !== undefined && serverId !== env.ADMIN_SERVER_ID)
    return 'This command works only in our own server.';
  await next();
  return undefined;
});
