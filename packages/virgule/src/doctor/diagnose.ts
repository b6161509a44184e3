import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createRest } from '@virgule/client/rest';
import { systemClock } from '@virgule/core/clock';
import { bareAddress, silentLog } from '@virgule/core/log';
import {
  envFileNames,
  readEnv,
  type Env,
  checkEnv,
  settingsForMode,
} from '@virgule/runtime/project';
import { PROFILE_MEMBERS } from '@virgule/core/protocol';
import { countOf } from '@virgule/core/text';
import { createLoader } from '../loader/create-loader.js';
import type { Io } from '../terminal/io.js';
import { checkProject, countFound, type ProjectCheck } from '../project/check-project.js';
import { PLATFORM_FILE } from '../terminal/read-profile.js';
import { version } from '../terminal/version.js';
import { fail, ok, warn, type DoctorLine, type DoctorResult } from './doctor-line.js';
import {
  checkGateway,
  checkRegistered,
  checkToken,
  failureOf,
  type PlatformCheckOptions,
} from './check-platform.js';

/** Number of attempts, low because a diagnosis reports an outage instead of waiting for its end. */
const MAX_TRIES = 3;

/** Time limit for each answer of the platform, in milliseconds. */
const DEADLINE_MS = 10_000;

/**
 * Checks all requirements of a bot, one after the other. Changes nothing.
 *
 * @param mode - selects `.env.<mode>` and a target of the configuration.
 */
export async function* diagnose(io: Io, mode: string): AsyncGenerator<DoctorLine, void, void> {
  const { cwd: root, redact } = io;
  yield { name: 'Node.js', ...checkNode(io.nodeVersion) };
  yield { name: 'virgule', ...ok(version) };
  const { line, env } = checkEnvFiles(io, mode);
  yield line;
  const check = await checkProject(root, createLoader({ root }).importModule, { env, redact });
  yield { name: 'project', ...describeProject(check) };
  if (check.opened?.config.env)
    yield { name: 'variables', ...(await checkVariables(env, check.opened.config.env)) };
  yield* checkPlatform(env, check, io, mode);
}

function checkNode(version: string): DoctorResult {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < 20 || (major === 20 && minor < 19);
  return isOld ? fail(`${version} is too old`, 'Install Node.js 20.19 or newer.') : ok(version);
}

/** Checks the environment with the `env` schema of the configuration. Shows no value. */
async function checkVariables(env: Env, schema: Parameters<typeof checkEnv>[0]) {
  const { problems } = await checkEnv(schema, env);
  const [first] = problems;
  return first ? fail(problems.map(({ message }) => message).join(' '), first.hint) : ok('valid');
}

async function* checkPlatform(env: Env, check: ProjectCheck, io: Io, mode: string) {
  const options = { clock: systemClock, deadlineMs: DEADLINE_MS, signal: io.interrupt };
  const config = check.opened && settingsForMode(check.opened.config, { mode, root: io.cwd });
  const token = env['BOT_TOKEN'];
  const baseUrl = env['BOT_BASE_URL'] || config?.baseUrl;
  const gatewayUrl = env['BOT_GATEWAY_URL'] || config?.gatewayUrl;
  const settings = { BOT_TOKEN: token, BOT_BASE_URL: baseUrl, BOT_GATEWAY_URL: gatewayUrl };
  const shown = [baseUrl, gatewayUrl].map((address = '') => bareAddress(address)).join(', ');
  const missing = Object.entries(settings).flatMap(([name, value]) => (value ? [] : [name]));
  const problem = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`;
  const hint = `\`virgule dev\` needs none of them. For \`deploy\` and \`start\`, put them into .env or .env.${mode}.`;
  yield { name: 'settings', ...(missing.length === 0 ? ok(shown) : warn(problem, hint)) };

  yield { name: 'profile', ...checkProfile(Object(config?.profile).measured, io.cwd) };
  if (token && baseUrl) yield* checkRest(token, baseUrl, check, options);
  if (gatewayUrl) yield await checkGateway(gatewayUrl, options);
}

const NOT_MEASURED = 'what is assumed about the platform; `virgule probe` measures it';

/** Names the assumptions about the platform that were never measured. */
function checkProfile(measured: unknown, root: string): DoctorResult {
  if (measured === undefined && existsSync(join(root, PLATFORM_FILE)))
    return warn(
      `the configuration does not use ${PLATFORM_FILE}`,
      `Set profile in virgule.config.ts to the content of ${PLATFORM_FILE}, or delete the file.`,
    );
  const facts: Readonly<Record<string, unknown>> = Object(Object(measured).facts);
  const open = PROFILE_MEMBERS.filter((name) => Object(facts[name]).value === undefined);
  const names = open.length < PROFILE_MEMBERS.length ? open.join(', ') : NOT_MEASURED;
  return ok(`never measured: ${names}`);
}

async function* checkRest(
  token: string,
  baseUrl: string,
  { opened, errors }: ProjectCheck,
  options: PlatformCheckOptions,
): AsyncGenerator<DoctorLine, void, void> {
  try {
    // Without a log, because failures are part of the diagnosis.
    const { clock } = options;
    await using rest = createRest({ token, baseUrl, clock, maxTries: MAX_TRIES, log: silentLog });
    const accepted = await checkToken(rest, options);
    yield accepted;
    if (accepted.status === 'ok' && opened && errors === 0)
      yield await checkRegistered(rest, opened.project, options);
  } catch (error) {
    // The checks report their own errors: the address or the token cannot be sent at all.
    yield failureOf('token', error);
  }
}

function checkEnvFiles({ cwd: root, env: processEnv }: Io, mode: string) {
  const name = '.env files';
  try {
    const ignored: string[] = [];
    const env = readEnv(root, mode, processEnv, (text) => ignored.push(text));
    const files = envFileNames(mode).filter((file) => existsSync(join(root, file)));
    if (ignored.length === 0) return { line: { name, ...ok(files.join(', ') || 'none') }, env };
    const hint = 'Write NAME=value, or begin the line with #.';
    return { line: { name, ...warn(ignored.join('; '), hint) }, env };
  } catch (error) {
    return { line: failureOf(name, error), env: processEnv };
  }
}

function describeProject(check: ProjectCheck): DoctorResult {
  const { errors, warnings, opened } = check;
  const hint = 'Run `virgule check` to see them.';
  if (errors > 0) return fail(countOf(errors, 'error'), hint);
  if (warnings > 0) return warn(countOf(warnings, 'warning'), hint);
  return ok(`${countFound(check)}, intents ${(opened?.project.intents ?? []).join(', ')}`);
}
