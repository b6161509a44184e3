// commands/admin/uptime.ts -> /admin-uptime
import { defineCommand } from 'virgule';

export default defineCommand({
  description: 'Show how long the bot has been running',
  run: ({ locals, services }) =>
    `Up for ${Math.round((locals.startedAtMs - services.startedAtMs) / 1000)} s.`,
});
