import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it } from 'vitest';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** A version of undici that has no such files, as far as its importer can see. */
const WITHOUT_PARTS = `
export const resolve = async (specifier, context, next) => {
  if (specifier.startsWith('undici/')) throw new Error('There is no ' + specifier);
  return next(specifier, context);
};`;

const CALL = `
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(WITHOUT_PARTS)}));
const { createRest } = await import('@virgule/client/rest');
const rest = createRest({ token: process.env.BOT_TOKEN, baseUrl: process.env.BOT_BASE_URL });
console.log((await rest.users.me()).displayName);
await rest.close();`;

describe('createRest', () => {
  it('uses the index of undici when the files that it imports are not there', async () => {
    await using platform = await startSimulator();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', CALL],
      {
        cwd: PACKAGE,
        env: { BOT_TOKEN: platform.token, BOT_BASE_URL: platform.baseUrl },
        timeout: 60_000,
      },
    );
    expect(stdout.trim()).toBe(platform.snapshot().bot.displayName);
  });
});
