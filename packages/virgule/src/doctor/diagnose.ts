import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createRest } from '@virgule/client/rest';
import { isVirguleError } from '@virgule/core/errors';
import { bareAddress, silentLog, type Redactor } from '@virgule/core/log';
import { envFileNames, readEnv, type Env } from '@virgule/runtime/process';
import { checkEnv, settingsForMode, type ImportModule } from '@virgule/runtime/project';
import { countOf } from '@virgule/core/text';
import { countRoutes } from '../terminal/count-routes.js';
import { checkProject, type ProjectCheck } from '../project/check-project.js';
import type { DoctorLine } from './doctor-line.js';
import { checkNode } from './check-node.js';
import { checkPackages } from './check-packages.js';
import {
  checkClock,
  checkGateway,
  checkRegistered,
  checkToken,
  type PlatformCheckOptions,
} from './check-platform.js';

/** A diagnosis reports an outage and does not wait for its end. */
const MAX_TRIES = 3;

export interface DiagnoseOptions extends PlatformCheckOptions {
  readonly root: string;
  /** Selects `.env.<mode>` and a target of the configuration. */
  readonly mode: string;
  /** The environment of the process; the `.env` files are read below it. */
  readonly env: Env;
  /** `process.versions.node`. */
  readonly nodeVersion: string;
  readonly importModule: ImportModule;
  /** Learns the secrets of the environment. */
  readonly redact: Redactor;
}

/** Checks everything that a bot needs, one thing after the other. Changes nothing. */
export async function* diagnose(options: DiagnoseOptions): AsyncGenerator<DoctorLine, void, void> {
  const { root, importModule, redact } = options;
  yield checkNode(options.nodeVersion);
  yield* checkPackages(root);
  const { line, env } = checkEnvFiles(root, options.mode, options.env);
  yield line;
  const check = await checkProject(root, importModule, { env, redact });
  yield describeProject(check);
  yield* checkVariables(env, check);
  yield* checkPlatform(env, check, options);
}

/** Checks the environment with the `env` schema of the configuration. No value is shown. */
async function* checkVariables(
  env: Env,
  { opened }: ProjectCheck,
): AsyncGenerator<DoctorLine, void, void> {
  const schema = opened?.config.env;
  if (!schema) return;
  const name = 'variables';
  const { problems } = await checkEnv(schema, env);
  const [first] = problems;
  const message = problems.map((problem) => problem.message).join(' ');
  yield first
    ? { name, status: 'fail', message, hint: first.hint }
    : { name, status: 'ok', message: 'valid' };
}

async function* checkPlatform(
  env: Env,
  check: ProjectCheck,
  options: DiagnoseOptions,
): AsyncGenerator<DoctorLine, void, void> {
  const { mode, root } = options;
  const config = check.opened && settingsForMode(check.opened.config, { mode, root });
  const token = env['BOT_TOKEN'];
  const baseUrl = env['BOT_BASE_URL'] || config?.baseUrl;
  const gatewayUrl = env['BOT_GATEWAY_URL'] || config?.gatewayUrl;
  const settings = { BOT_TOKEN: token, BOT_BASE_URL: baseUrl, BOT_GATEWAY_URL: gatewayUrl };
  const shown = [baseUrl, gatewayUrl].map((address = '') => bareAddress(address)).join(', ');
  const missing = Object.entries(settings).flatMap(([name, value]) => (value ? [] : [name]));
  yield missing.length === 0
    ? { name: 'settings', status: 'ok', message: shown }
    : {
        name: 'settings',
        status: 'warn',
        message: `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`,
        hint: `\`virgule dev\` needs none of them. For \`deploy\` and \`start\`, put them into .env or .env.${mode}.`,
      };

  if (token && baseUrl) yield* checkRest(token, baseUrl, check, options);
  if (gatewayUrl) yield await checkGateway(gatewayUrl, options);
}

async function* checkRest(
  token: string,
  baseUrl: string,
  check: ProjectCheck,
  options: DiagnoseOptions,
): AsyncGenerator<DoctorLine, void, void> {
  let rest: ReturnType<typeof createRest>;
  try {
    rest = createRest({
      token,
      baseUrl,
      clock: options.clock,
      maxTries: MAX_TRIES,
      // Failures are part of the diagnosis.
      log: silentLog,
    });
  } catch (error) {
    if (!isVirguleError(error)) throw error;
    yield { name: 'token', status: 'fail', message: error.message, hint: error.hint };
    return;
  }
  try {
    const accepted = await checkToken(rest, options);
    yield accepted;
    yield await checkClock(baseUrl, options);
    if (accepted.status === 'ok' && check.opened && check.errors === 0) {
      yield await checkRegistered(rest, check.opened.project, options);
    }
  } finally {
    await rest.close();
  }
}

function checkEnvFiles(
  root: string,
  mode: string,
  processEnv: Env,
): { line: DoctorLine; env: Env } {
  const name = '.env files';
  try {
    const ignored: string[] = [];
    const env = readEnv(root, mode, processEnv, (text) => ignored.push(text));
    const files = envFileNames(mode).filter((file) => existsSync(join(root, file)));
    const message = files.length === 0 ? 'none' : files.join(', ');
    if (ignored.length === 0) return { line: { name, status: 'ok', message }, env };
    const hint = 'Write NAME=value, or begin the line with #.';
    return { line: { name, status: 'warn', message: ignored.join('; '), hint }, env };
  } catch (error) {
    if (!isVirguleError(error)) throw error;
    const { message, hint } = error;
    return { line: { name, status: 'fail', message, hint }, env: processEnv };
  }
}

function describeProject({ errors, warnings, opened }: ProjectCheck): DoctorLine {
  const name = 'project';
  const hint = 'Run `virgule check` to see them.';
  if (errors > 0) return { name, status: 'fail', message: countOf(errors, 'error'), hint };
  if (warnings > 0) return { name, status: 'warn', message: countOf(warnings, 'warning'), hint };
  const { manifest, project } = opened ?? {};
  const message = [
    countRoutes({
      commands: manifest?.commands.length ?? 0,
      events: manifest?.events.length ?? 0,
      tasks: manifest?.tasks.length ?? 0,
    }),
    `intents ${(project?.intents ?? []).join(', ')}`,
  ].join(', ');
  return { name, status: 'ok', message };
}
