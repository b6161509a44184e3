import { probeGateway } from '@virgule/client/gateway';
import type { Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';
import { bareAddress } from '@virgule/core/log';
import { ENDPOINTS, endpointPath } from '@virgule/core/protocol';
import { wireCommands, type Project } from '@virgule/runtime/project';
import { planSync } from '@virgule/runtime/sync';
import type { DoctorLine } from './doctor-line.js';

export interface PlatformCheckOptions {
  readonly clock: Clock;
  /** How long each look may take, in milliseconds. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Clocks of machines that are kept in time differ by less, in milliseconds. */
const MAX_SKEW_MS = 5_000;
/** A `Date` header has no fractions: on average this much is missing. */
const DATE_HALF_STEP_MS = 500;

/** Checks whether the token is accepted (Bot Interface, Endpoints #1). */
export async function checkToken(rest: Rest, options: PlatformCheckOptions): Promise<DoctorLine> {
  const { deadlineMs, signal } = options;
  try {
    const me = await rest.users.me({ deadlineMs, signal });
    const message = `accepted; the bot is ${me.displayName} (application ${me.applicationId})`;
    return { name: 'token', status: 'ok', message };
  } catch (error) {
    return failed('token', error, signal);
  }
}

/** Measures how far the clocks of this machine and the platform are apart. No token is sent for it. */
export async function checkClock(
  baseUrl: string,
  { clock, deadlineMs, signal }: PlatformCheckOptions,
): Promise<DoctorLine> {
  const name = 'clock';
  const stop = new AbortController();
  const timer = clock.setTimeout(() => stop.abort(), deadlineMs);
  const sentMs = clock.now();
  try {
    const path = endpointPath(ENDPOINTS['users.me']);
    // Without credentials, which fetch refuses and the client leaves out.
    const response = await fetch(`${bareAddress(baseUrl)}${path}`, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, stop.signal]),
    });
    const gotMs = clock.now();
    await response.body?.cancel();
    const date = Date.parse(response.headers.get('date') ?? '');
    if (Number.isNaN(date)) {
      return { name, status: 'ok', message: 'unknown: the platform does not send its time' };
    }
    const skewMs = date + DATE_HALF_STEP_MS - (sentMs + gotMs) / 2;
    return describeSkew(skewMs);
  } catch {
    signal.throwIfAborted();
    return { name, status: 'warn', message: 'unknown: the platform did not answer' };
  } finally {
    timer.cancel();
  }
}

function describeSkew(skewMs: number): DoctorLine {
  const name = 'clock';
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  if (Math.abs(skewMs) <= MAX_SKEW_MS) {
    return { name, status: 'ok', message: `within ${MAX_SKEW_MS / 1_000} s of the platform's` };
  }
  return {
    name,
    status: 'warn',
    message: `${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} the platform's`,
    hint: 'Correct the time of this machine, or enable time synchronization: rate limits and upload URLs depend on it.',
  };
}

/** Checks whether the gateway says HELLO. The bot does not identify, so a running one is left alone. */
export async function checkGateway(
  gatewayUrl: string,
  options: PlatformCheckOptions,
): Promise<DoctorLine> {
  const name = 'gateway';
  try {
    const probe = await probeGateway({ gatewayUrl, ...options });
    if (probe.ok) return { name, status: 'ok', message: `HELLO after ${probe.helloMs} ms` };
    return {
      name,
      status: 'fail',
      message: `${bareAddress(gatewayUrl)}: ${probe.reason}`,
      hint: 'Check BOT_GATEWAY_URL, the network, and whether a proxy lets WebSockets through.',
    };
  } catch (error) {
    return failed(name, error, options.signal);
  }
}

/** Compares the registered commands with the local ones (Bot Interface, Endpoints #25). */
export async function checkRegistered(
  rest: Rest,
  project: Project,
  { deadlineMs, signal }: PlatformCheckOptions,
): Promise<DoctorLine> {
  const name = 'registered';
  try {
    const registered = await rest.commands.list({ deadlineMs, signal });
    const plan = planSync(wireCommands(project), registered);
    if (plan.empty) return { name, status: 'ok', message: 'match the files' };
    const counts = [
      [plan.add.length, 'missing'],
      [plan.change.length, 'different'],
      [plan.remove.length, 'without a file'],
    ] as const;
    const drift = counts.filter(([count]) => count > 0).map(([count, how]) => `${count} ${how}`);
    return {
      name,
      status: 'warn',
      message: `differ from the files: ${drift.join(', ')}`,
      hint: 'Run `virgule deploy` to see and apply the plan.',
    };
  } catch (error) {
    return failed(name, error, signal);
  }
}

/** Returns an error as a line; an interrupt is thrown. */
function failed(name: string, error: unknown, signal: AbortSignal): DoctorLine {
  signal.throwIfAborted();
  if (!isVirguleError(error)) throw error;
  return { name, status: 'fail', message: error.message, hint: error.hint };
}
