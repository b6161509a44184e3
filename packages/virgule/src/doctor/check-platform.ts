import { probeGateway } from '@virgule/client/gateway';
import type { Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';
import { bareAddress } from '@virgule/core/log';
import { ENDPOINTS, endpointPath } from '@virgule/core/protocol';
import { wireCommands, type Project } from '@virgule/runtime/project';
import { planSync } from '@virgule/runtime/sync';
import { resultsOf, type DoctorLine } from './doctor-line.js';

export interface PlatformCheckOptions {
  readonly clock: Clock;
  /** Time limit of each check, in milliseconds. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Tolerated difference in milliseconds; synchronized clocks differ by less. */
const MAX_SKEW_MS = 5_000;
/** Average part in milliseconds that a `Date` header lacks, because it has no fractions of a second. */
const DATE_HALF_STEP_MS = 500;

/** Checks whether the token is accepted (Bot Interface, Endpoints #1). */
export const checkToken = (rest: Rest, options: PlatformCheckOptions): Promise<DoctorLine> =>
  orFailed('token', options, async (call) => {
    const { displayName, applicationId } = await rest.users.me(call);
    const message = `accepted; the bot is ${displayName} (application ${applicationId})`;
    return resultsOf('token').ok(message);
  });

/** Measures the difference between the clocks of this machine and the platform. Sends no token. */
export async function checkClock(
  baseUrl: string,
  { clock, deadlineMs, signal }: PlatformCheckOptions,
): Promise<DoctorLine> {
  const { ok, warn } = resultsOf('clock');
  const stop = new AbortController();
  const timer = clock.setTimeout(() => stop.abort(), deadlineMs);
  const sentMs = clock.now();
  try {
    const path = endpointPath(ENDPOINTS['users.me']);
    // Omits credentials from the URL, which fetch rejects and the client ignores.
    const response = await fetch(`${bareAddress(baseUrl)}${path}`, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, stop.signal]),
    });
    const gotMs = clock.now();
    await response.body?.cancel();
    const date = Date.parse(response.headers.get('date') ?? '');
    if (Number.isNaN(date)) return ok('unknown: the platform does not send its time');
    const skewMs = date + DATE_HALF_STEP_MS - (sentMs + gotMs) / 2;
    const seconds = Math.round(Math.abs(skewMs) / 1_000);
    if (Math.abs(skewMs) <= MAX_SKEW_MS)
      return ok(`within ${MAX_SKEW_MS / 1_000} s of the platform's`);
    return warn(
      `${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} the platform's`,
      'Correct the time of this machine, or enable time synchronization: rate limits and upload URLs depend on it.',
    );
  } catch {
    signal.throwIfAborted();
    return warn('unknown: the platform did not answer');
  } finally {
    timer.cancel();
  }
}

/** Checks whether the gateway sends HELLO. Does not identify, so that a running bot keeps its connection. */
export const checkGateway = (
  gatewayUrl: string,
  options: PlatformCheckOptions,
): Promise<DoctorLine> =>
  orFailed('gateway', options, async () => {
    const { ok, fail } = resultsOf('gateway');
    const probe = await probeGateway({ gatewayUrl, ...options });
    if (probe.ok) return ok(`HELLO after ${probe.helloMs} ms`);
    return fail(
      `${bareAddress(gatewayUrl)}: ${probe.reason}`,
      'Check BOT_GATEWAY_URL, the network, and whether a proxy lets WebSockets through.',
    );
  });

/** Compares the registered commands with the local ones (Bot Interface, Endpoints #25). */
export const checkRegistered = (
  rest: Rest,
  project: Project,
  options: PlatformCheckOptions,
): Promise<DoctorLine> =>
  orFailed('registered', options, async (call) => {
    const { ok, warn } = resultsOf('registered');
    const plan = planSync(wireCommands(project), await rest.commands.list(call));
    if (plan.empty) return ok('match the files');
    const counts = [
      [plan.add.length, 'missing'],
      [plan.change.length, 'different'],
      [plan.remove.length, 'without a file'],
    ] as const;
    const drift = counts.filter(([count]) => count > 0).map(([count, how]) => `${count} ${how}`);
    return warn(
      `differ from the files: ${drift.join(', ')}`,
      'Run `virgule deploy` to see and apply the plan.',
    );
  });

/** Runs a check. Turns its error into a failure; rethrows an interrupt. */
async function orFailed(
  name: string,
  { deadlineMs, signal }: PlatformCheckOptions,
  check: (call: Pick<PlatformCheckOptions, 'deadlineMs' | 'signal'>) => Promise<DoctorLine>,
): Promise<DoctorLine> {
  try {
    return await check({ deadlineMs, signal });
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(name, error);
  }
}

/** Returns the error of a check as a failure; throws any other error. */
export function failureOf(name: string, error: unknown): DoctorLine {
  if (!isVirguleError(error)) throw error;
  return resultsOf(name).fail(error.message, error.hint);
}
