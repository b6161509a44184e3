import { raceAbort } from '@virgule/core/abort';
import { createLoader } from '../loader/create-loader.js';
import { checkAsJson, checkProject, describeCheck } from '../project/check-project.js';
import { describeRoutes, routesAsJson } from '../project/describe-routes.js';
import { createColors } from '../terminal/colors.js';
import { defineCliCommand } from '../terminal/command.js';
import { readableIoEnv } from '../terminal/read-io-env.js';

export const check = defineCliCommand({
  name: 'check',
  words: '',
  about: 'Check the project without starting it',
  flags: {
    routes: {
      type: 'boolean',
      about: 'List commands, events and tasks with their files, usage, middleware and settings',
    },
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  exits: { 0: 'no errors; there may be warnings', 1: 'errors' },
  examples: ['virgule check', 'virgule check --routes', 'virgule check --json'],
  async run({ flags: { routes, json } }, io) {
    const loader = createLoader({ root: io.cwd });
    const env = readableIoEnv(io, 'development');
    const result = await raceAbort(
      checkProject(io.cwd, loader.importModule, { env, redact: io.redact }),
      io.interrupt,
    );
    const opened = routes ? result.opened : null;
    if (json) {
      const listed = opened === null ? {} : { routes: routesAsJson(opened) };
      io.stdout.write(`${JSON.stringify({ ...checkAsJson(result), ...listed })}\n`);
    } else {
      const { bold, dim } = createColors(io.color);
      const style = { columns: io.columns, strong: bold, dim };
      if (opened !== null) io.stdout.write(describeRoutes(opened, style));
      io.stdout.write(describeCheck(result, io.color));
    }
    return result.errors > 0 ? 1 : 0;
  },
});
