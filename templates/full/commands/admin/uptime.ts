// commands/admin/uptime.ts -> /admin-uptime
import { defineCommand } from 'virgule';

export default defineCommand({
  description: 'Show how long the bot has been running',
  run: ({ locals }) =>
    `Up for ${Math.round((locals.startedAtMs - performance.timeOrigin) / 1000)} s.`,
});
