import { silentLog } from '@virgule/core/log';
import { createRest } from '@virgule/client/rest';
import { raceAbort } from '@virgule/core/abort';
import { systemClock } from '@virgule/core/clock';
import { showControls } from '@virgule/core/text';
import { readConnection } from '@virgule/runtime/process';
import { runtimeErrors, settingsForMode } from '@virgule/runtime/project';
import { planSync } from '@virgule/runtime/sync';
import { applyPlan } from '../deploy/apply-plan.js';
import { askConsent } from '../deploy/ask-consent.js';
import { readRecord } from '../deploy/deploy-record.js';
import { describePlan } from '../deploy/describe-plan.js';
import { readLocalCommands } from '../deploy/local-commands.js';
import { planId } from '../deploy/plan-id.js';
import { planJson, type DeployResult } from '../deploy/plan-json.js';
import { reportRateLimits } from '../deploy/report-rate-limits.js';
import { cliErrors } from '../terminal/cli-errors.js';
import { defineCliCommand } from '../terminal/command.js';
import { MODE_FLAG } from '../terminal/help.js';
import { readIoEnv } from '../terminal/read-io-env.js';
import { shellWord } from '../terminal/shell-word.js';

/** What `--check` ends with when the registered commands are not the local ones. */
const DIFFERS = 2;
/** A deploy may wait out a rate limit of up to a minute. */
const DEADLINE_MS = 90_000;
/** A deploy reports soon that the platform cannot be reached. */
const MAX_TRIES = 3;

export const deploy = defineCliCommand({
  name: 'deploy',
  words: '',
  about: 'Register the commands after showing a plan',
  flags: {
    ...MODE_FLAG,
    'dry-run': { type: 'boolean', about: 'Print the plan and change nothing' },
    check: {
      type: 'boolean',
      about: 'Print the plan; exit code 0 without a difference, 2 with one',
    },
    yes: { type: 'boolean', about: 'Confirm the plan, except deletions' },
    'allow-delete': {
      type: 'names',
      value: '[=NAMES]',
      about: 'Confirm the deletions in the plan, or only these',
    },
    'keep-foreign': {
      type: 'boolean',
      about: 'Keep registered commands that were not deployed from here',
    },
    'allow-empty': { type: 'boolean', about: 'Deploy even if there are no commands' },
    built: { type: 'boolean', about: 'Read the commands from dist/manifest.json' },
    from: {
      type: 'string',
      value: 'NAME',
      about: 'Roll back to a set that an earlier deploy saved',
    },
    save: {
      type: 'string',
      value: 'FILE',
      about: 'Also write the replaced set to this file, for --from FILE',
    },
    verbose: { type: 'boolean', about: 'Also list unchanged commands' },
    json: { type: 'boolean', about: 'Print one JSON object instead of text' },
  },
  examples: [
    'virgule deploy',
    'virgule deploy --mode staging',
    'virgule deploy --check --json',
    'virgule deploy --yes --allow-delete=old',
    'virgule deploy --from 2026-11-20T10-22-07-512Z',
  ],
  exits: {
    0: 'applied, planned, or nothing to do',
    1: 'refused, not confirmed, or an error',
    2: 'with --check: the registered commands differ',
  },
  async run({ flags }, io) {
    // What was agreed to is carried through; up to there Ctrl+C ends it.
    const signal = io.interrupt;
    const { built, from, json = false, mode = 'production', verbose } = flags;
    const { 'allow-empty': allowEmpty } = flags;
    if (built && from !== undefined) {
      const want = 'either --built or --from';
      throw runtimeErrors.E_ARGUMENTS({ command: 'deploy', want, saw: ['both'] });
    }
    const env = readIoEnv(io, mode);
    const local = await raceAbort(
      readLocalCommands({ root: io.cwd, from, built, allowEmpty, env, redact: io.redact }),
      signal,
    );
    const platform = settingsForMode(local.platform, { mode, root: io.cwd });
    const connection = readConnection(env, platform, { root: io.cwd, mode });
    const { profile } = platform;
    await using rest = createRest({
      ...connection,
      profile,
      deadlineMs: DEADLINE_MS,
      maxTries: MAX_TRIES,
      log: silentLog,
    });
    using _ = reportRateLimits({
      clock: systemClock,
      pausedForMs: () => Math.max(0, ...rest.limits().buckets.map((bucket) => bucket.pausedForMs)),
      report: (line) => void io.stderr.write(`${line}\n`),
    });
    const me = await rest.users.me({ signal });
    const { applicationId } = me;
    if (local.applicationId !== undefined && local.applicationId !== applicationId) {
      const reason = `it belongs to another bot (application ${local.applicationId})`;
      throw cliErrors.E_SAVED_SET_INVALID({ name: from ?? '', reason });
    }
    const own = await readRecord(io.cwd, applicationId);
    const registered = await rest.commands.list({ signal });
    // Without a record it is unknown which commands belong to another deployer.
    const keep =
      flags['keep-foreign'] && own ? (name: string): boolean => !own.includes(name) : undefined;
    const plan = planSync(local.items, registered, { keep });
    const id = planId(plan, local.items);

    const print = (result: DeployResult, saved?: string): void => {
      if (json) {
        io.stdout.write(`${JSON.stringify(planJson({ plan, id, me, local, result, saved }))}\n`);
      }
    };
    if (!json) {
      const view = {
        local: local.items.length,
        called: local.called,
        registered: registered.length,
        bot: me.displayName,
        applicationId,
        id,
        color: io.color,
        verbose,
        fileOf: (name: string) => local.fileOf(name),
      };
      io.stdout.write(describePlan(plan, view));
    }

    if (flags.check) {
      print(plan.empty ? 'same' : 'differs');
      return plan.empty ? 0 : DIFFERS;
    }
    if (plan.empty || flags['dry-run']) {
      print(plan.empty ? 'no-changes' : 'planned');
      return 0;
    }
    const modeGiven = flags.mode === undefined ? [] : [`--mode ${shellWord(flags.mode)}`];
    const repeated = [
      ...modeGiven,
      ...(from === undefined ? [] : [`--from ${shellWord(from)}`]),
      ...(built ? ['--built'] : []),
      ...(flags['keep-foreign'] ? ['--keep-foreign'] : []),
      ...(allowEmpty ? ['--allow-empty'] : []),
    ];
    try {
      if (local.items.length + plan.kept.length === 0 && !allowEmpty) {
        throw runtimeErrors.E_SYNC_EMPTY({ registered: registered.length });
      }
      const allowDelete = flags['allow-delete'] ?? false;
      await askConsent({ plan, yes: flags.yes === true, allowDelete, json, repeated }, io);
    } catch (error) {
      print('not-applied');
      throw error;
    }

    signal.throwIfAborted();
    const { applied, saved, ms, unrecorded } = await applyPlan({
      root: io.cwd,
      commands: rest.commands,
      local,
      plan,
      registered,
      applicationId,
      own,
      save: flags.save,
      clock: systemClock,
    });
    print(applied ? 'applied' : 'no-changes', saved);
    if (!json) {
      io.stdout.write(
        (applied
          ? `Applied in ${Math.round(ms)} ms, and verified by reading it back.\n`
          : 'No changes: another deploy has registered the same commands meanwhile.\n') +
          `Roll back with: ${['virgule deploy', ...modeGiven, `--from ${saved}`].join(' ')}\n`,
      );
    }
    if (unrecorded !== undefined) {
      io.stderr.write(
        `! The deployed commands could not be recorded: ${showControls(unrecorded)}\n`,
      );
    }
    return 0;
  },
});
