import { probeGateway } from '@virgule/client/gateway';
import type { Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';
import { bareAddress } from '@virgule/core/log';
import { wireCommands, type Project } from '@virgule/runtime/project';
import { planSync } from '@virgule/runtime/sync';
import { fail, ok, warn, type DoctorLine, type DoctorResult } from './doctor-line.js';

export interface PlatformCheckOptions {
  readonly clock: Clock;
  /** Time limit of each check, in milliseconds. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Checks whether the token is accepted (Bot Interface, Endpoints #1). */
export const checkToken = (rest: Rest, options: PlatformCheckOptions): Promise<DoctorLine> =>
  orFailed('token', options, async (call) => {
    const { displayName, applicationId } = await rest.users.me(call);
    return ok(`accepted; the bot is ${displayName} (application ${applicationId})`);
  });

/** Checks whether the gateway sends HELLO. Does not identify, so that a running bot keeps its connection. */
export const checkGateway = (gatewayUrl: string, options: PlatformCheckOptions) =>
  orFailed('gateway', options, async () => {
    const probe = await probeGateway({ gatewayUrl, ...options });
    if (probe.ok) return ok(`HELLO after ${probe.helloMs} ms`);
    return fail(
      `${bareAddress(gatewayUrl)}: ${probe.reason}`,
      'Check BOT_GATEWAY_URL, the network, and whether a proxy lets WebSockets through.',
    );
  });

/** Compares the registered commands with the local ones (Bot Interface, Endpoints #25). */
export const checkRegistered = (rest: Rest, project: Project, options: PlatformCheckOptions) =>
  orFailed('registered', options, async (call) => {
    const plan = planSync(wireCommands(project), await rest.commands.list(call));
    if (plan.empty) return ok('match the files');
    const counts = [
      [plan.add.length, 'missing'],
      [plan.change.length, 'different'],
      [plan.remove.length, 'without a file'],
    ] as const;
    const drift = counts.filter(([count]) => count > 0).map(([count, how]) => `${count} ${how}`);
    const hint = 'Run `virgule deploy` to see and apply the plan.';
    return warn(`differ from the files: ${drift.join(', ')}`, hint);
  });

/** Runs a check. Turns its error into a failure; rethrows an interrupt. */
async function orFailed(
  name: string,
  { deadlineMs, signal }: PlatformCheckOptions,
  check: (call: Pick<PlatformCheckOptions, 'deadlineMs' | 'signal'>) => Promise<DoctorResult>,
): Promise<DoctorLine> {
  try {
    return { name, ...(await check({ deadlineMs, signal })) };
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(name, error);
  }
}

/** Returns the error of a check as a failure; throws any other error. */
export function failureOf(name: string, error: unknown): DoctorLine {
  if (!isVirguleError(error)) throw error;
  return { name, ...fail(error.message, error.hint) };
}
