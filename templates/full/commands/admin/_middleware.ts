// Guards the commands of this folder: they run only if `next()` is called. The guard fails closed: until the
// environment names a server, they run in none.
import { defineMiddleware } from 'virgule';

export default defineMiddleware(async ({ serverId, env }, next) => {
  if (env.ADMIN_SERVER_ID === undefined)
    return `Admin commands are off. To use them in this server, set ADMIN_SERVER_ID=${serverId} in .env.`;
  if (serverId !== env.ADMIN_SERVER_ID) return 'This command works only in our own server.';
  await next();
  return undefined;
});
