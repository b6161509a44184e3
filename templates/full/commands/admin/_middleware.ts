// Guards the commands of this folder: without `next()` they do not run. It fails closed: as long as
// no server is named in the environment, they run in none.
import { defineMiddleware } from 'virgule';

export default defineMiddleware(async ({ serverId, env }, next) => {
  if (env.ADMIN_SERVER_ID === undefined)
    return `Admin commands are off. To use them in this server, set ADMIN_SERVER_ID=${serverId} in .env.`;
  if (serverId !== env.ADMIN_SERVER_ID) return 'This works in our own server only.';
  await next();
  return undefined;
});
