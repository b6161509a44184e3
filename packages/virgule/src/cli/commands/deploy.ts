import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRest } from '@virgule/client/rest';
import { systemClock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';
import { readConnection, readEnv } from '@virgule/runtime/process';
import { wireCommands } from '@virgule/runtime/project';
import { applySync, planSync, type SyncPlan } from '@virgule/runtime/sync';
import { createLoader } from '../../loader/create-loader.js';
import { openProject } from '../../project/open-project.js';
import { ProjectProblems } from '../../project/project-problems.js';
import { cliErrors } from '../cli-errors.js';
import { defineCliCommand } from '../command.js';
import { describePlan } from '../describe-plan.js';
import { unlessInterrupted } from '../interrupted.js';
import type { Io } from '../io.js';

export const deploy = defineCliCommand({
  name: 'deploy',
  words: '',
  about: 'Register the commands with the platform: a plan first, deletions never by accident',
  flags: {
    'dry-run': { type: 'boolean', about: 'Print the plan and change nothing' },
    yes: { type: 'boolean', about: 'Agree to the plan, deletions excepted' },
    'allow-delete': { type: 'boolean', about: 'Agree to the deletions in the plan' },
    json: { type: 'boolean', about: 'Print one JSON object instead of text' },
  },
  examples: [
    'virgule deploy',
    'virgule deploy --dry-run --json',
    'virgule deploy --yes --allow-delete',
  ],
  async run({ flags }, io) {
    const env = readEnv(io.cwd, 'production', io.env);
    // What was agreed to is carried through; up to there Ctrl+C ends it.
    const signal = io.interrupt;
    const loader = createLoader({ root: io.cwd });
    const { config, project, problems } = await unlessInterrupted(
      signal,
      openProject(io.cwd, loader.importModule),
    );
    if (problems.length > 0) throw new ProjectProblems(problems);
    const local = wireCommands(project);

    const connection = readConnection(env, config);
    await using rest = createRest({ ...connection, profile: config.profile });
    const me = await rest.users.me({ signal });
    const registered = await rest.commands.list({ signal });
    const plan = planSync(local, registered);
    const print = (result: string): void => {
      if (flags.json) io.stdout.write(`${JSON.stringify(asJson(plan, result))}\n`);
      else if (result !== 'planned' && result !== 'no changes') io.stdout.write(`${result}\n`);
    };
    if (!flags.json)
      io.stdout.write(
        describePlan(plan, { local: local.length, bot: me.displayName, color: io.color }),
      );

    if (plan.empty) {
      print('no changes');
      return 0;
    }
    if (flags['dry-run']) {
      print('planned');
      return 0;
    }
    const mayDelete = plan.remove.length === 0 || flags['allow-delete'] === true;
    if (!(flags.yes && mayDelete))
      await askConsent(plan, flags.yes === true, flags.json === true, io);

    signal.throwIfAborted();
    // Before anything is changed: a set that was replaced and not kept could not be brought back.
    const saved = await saveRegistered(io.cwd, registered);
    try {
      const allowDelete = plan.remove.length > 0;
      await applySync({ commands: rest.commands, local, plan, allowDelete });
    } catch (error) {
      // It was refused before anything was sent.
      if (isVirguleError(error, 'E_SYNC_STALE')) await rm(join(io.cwd, saved), { force: true });
      throw error;
    }
    print(
      flags.json
        ? 'applied'
        : `Applied, and verified by reading it back. What was registered before is in ${saved}.`,
    );
    return 0;
  },
});

/** Goes on only after a clear yes: for deletions, their number has to be typed. */
async function askConsent(plan: SyncPlan, saidYes: boolean, json: boolean, io: Io): Promise<void> {
  const deletions = plan.remove.length;
  if (!io.interactive || json || saidYes) {
    const command = `virgule deploy --yes${deletions > 0 ? ' --allow-delete' : ''}`;
    throw cliErrors.E_CONSENT_NEEDED({ deletions, command });
  }
  const question =
    deletions > 0
      ? `Apply? Type the number of deletions (${deletions}) to confirm, anything else to stop: `
      : 'Apply? [y/N] ';
  const typed = (await io.ask(question)).trim().toLowerCase();
  const agreed = deletions > 0 ? typed === String(deletions) : typed === 'y' || typed === 'yes';
  if (!agreed) throw cliErrors.E_DEPLOY_REFUSED({});
}

function asJson(plan: SyncPlan, result: string) {
  const { add, change, remove, same } = plan;
  return {
    v: 1,
    result,
    changes: add.length + change.length + remove.length,
    add,
    change,
    remove,
    same,
  };
}

/** Keeps the set that is to be replaced, for a rollback. Gives the file's path from the project's root. */
async function saveRegistered(root: string, commands: readonly unknown[]): Promise<string> {
  const folder = join('.virgule', 'deploys');
  const time = new Date(systemClock.now()).toISOString().replaceAll(/[:.]/g, '-');
  const file = join(folder, `${time}.json`);
  try {
    await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, file), `${JSON.stringify({ v: 1, commands }, null, 2)}\n`);
  } catch (cause) {
    const unwritable = cause instanceof Error ? cause.message : String(cause);
    throw cliErrors.E_DEPLOY_REFUSED({ unwritable }, { cause });
  }
  return file;
}
