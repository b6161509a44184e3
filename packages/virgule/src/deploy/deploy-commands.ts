import { createRest } from '@virgule/client/rest';
import { raceAbort } from '@virgule/core/abort';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { showControls } from '@virgule/core/text';
import { runtimeErrors } from '@virgule/runtime/errors';
import { readConnection, settingsForMode } from '@virgule/runtime/project';
import { planSync } from '@virgule/runtime/sync';
import { cliErrors } from '../terminal/cli-errors.js';
import type { Io } from '../terminal/io.js';
import { readIoEnv } from '../terminal/read-io-env.js';
import { applyPlan } from './apply-plan.js';
import { askConsent, modeFlag } from './ask-consent.js';
import type { DeployFlags } from './deploy-flags.js';
import { readRecord } from './deploy-record.js';
import { describePlan, planJson } from './describe-plan.js';
import { readLocalCommands } from './local-commands.js';

/** Exit code of `--check` when the registered commands differ from the local ones. */
const DIFFERS = 2;
/** Time limit in milliseconds, which includes a rate limit of up to a minute. */
const DEADLINE_MS = 90_000;
/** Number of attempts, low so that an unreachable platform is reported soon. */
const MAX_TRIES = 3;

/** Reports a rate limit of a second or more, during which the command would seem to hang. */
function reportRateLimit(details: object, { stderr }: Io): void {
  const ms = 'retryAfterMs' in details ? Number(details.retryAfterMs) : 0;
  if (ms >= 1_000 && ms < DEADLINE_MS)
    stderr.write(
      `The platform asks to wait (rate limit): continuing in ${Math.ceil(ms / 1_000)} s.\n`,
    );
}

/** Plans the deploy of the folder's commands, prints the plan, and applies it once it is confirmed. Resolves with the exit code. */
export async function deployCommands(flags: DeployFlags, io: Io): Promise<number> {
  const { from, json = false, mode = 'production', 'allow-empty': allowEmpty } = flags;
  // A confirmed plan is completed; before the confirmation, Ctrl+C ends the deploy.
  const signal = io.interrupt;
  const env = readIoEnv(io, mode);
  const reading = readLocalCommands(io.cwd, { from, allowEmpty, env, redact: io.redact });
  const local = await raceAbort(reading, signal);
  const platform = settingsForMode(local.platform, { mode, root: io.cwd });
  await using rest = createRest({
    ...readConnection(env, platform, { root: io.cwd, mode }),
    profile: platform.profile,
    deadlineMs: DEADLINE_MS,
    maxTries: MAX_TRIES,
    log: { ...silentLog, warn: (details) => reportRateLimit(details, io) },
  });
  const me = await rest.users.me({ signal });
  const { applicationId } = me;
  if (local.applicationId !== undefined && local.applicationId !== applicationId) {
    const reason = `it belongs to another bot (application ${local.applicationId})`;
    throw cliErrors.E_SAVED_SET({ kind: 'invalid', name: from ?? '', reason });
  }
  const own = await readRecord(io.cwd, applicationId);
  const registered = await rest.commands.list({ signal });
  // Without a record, it is unknown which commands belong to another deployer.
  const keep =
    flags['keep-foreign'] && own ? (name: string): boolean => !own.includes(name) : undefined;
  const plan = planSync(local.items, registered, keep);
  const planned = { plan, local, registered, own, me };

  const print = (result: string, saved?: string): void => {
    if (json) io.stdout.write(`${JSON.stringify(planJson(planned, result, saved))}\n`);
  };
  if (!json) io.stdout.write(describePlan(planned, io.color));
  if (flags.check) {
    print(plan.empty ? 'same' : 'differs');
    return plan.empty ? 0 : DIFFERS;
  }
  if (plan.empty || flags['dry-run']) {
    print(plan.empty ? 'no-changes' : 'planned');
    return 0;
  }
  try {
    if (local.items.length + plan.kept.length === 0 && !allowEmpty)
      throw runtimeErrors.E_SYNC_EMPTY({ registered: registered.length });
    await askConsent(plan, flags, io);
  } catch (error) {
    print('not-applied');
    throw error;
  }

  signal.throwIfAborted();
  const place = { root: io.cwd, commands: rest.commands, clock: systemClock };
  const { applied, saved, ms, unrecorded } = await applyPlan(planned, place);
  print(applied ? 'applied' : 'no-changes', saved);
  if (!json) {
    const rollback = ['virgule deploy', ...modeFlag(flags), `--from ${saved}`].join(' ');
    io.stdout.write(
      applied
        ? `Applied in ${Math.round(ms)} ms, and verified by reading it back.\nRoll back with: ${rollback}\n`
        : 'No changes: another deploy has just registered the same commands.\n',
    );
  }
  if (unrecorded !== undefined)
    io.stderr.write(`! The deployed commands could not be recorded: ${showControls(unrecorded)}\n`);
  return 0;
}
