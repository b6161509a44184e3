import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRest } from '@virgule/client/rest';
import { systemClock } from '@virgule/core/clock';
import { readConnection, readEnv } from '@virgule/runtime/process';
import { wireCommands } from '@virgule/runtime/project';
import { applySync, planSync, type SyncPlan } from '@virgule/runtime/sync';
import { createLoader } from '../../loader/create-loader.js';
import { openProject } from '../../project/open-project.js';
import { ProjectProblems } from '../../project/project-problems.js';
import { cliErrors } from '../cli-errors.js';
import { defineCliCommand } from '../command.js';
import { describePlan } from '../describe-plan.js';
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
    const connection = readConnection(readEnv(io.cwd, 'production', io.env));
    const { project, problems } = await openProject(
      io.cwd,
      createLoader({ root: io.cwd }).importModule,
    );
    if (problems.length > 0) throw new ProjectProblems(problems);
    const local = wireCommands(project);

    await using rest = createRest(connection);
    const me = await rest.users.me();
    const plan = planSync(local, await rest.commands.list());
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

    const { before } = await applySync({
      commands: rest.commands,
      local,
      plan,
      allowDelete: plan.remove.length > 0,
    });
    const saved = await saveReplaced(io.cwd, before);
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

/** Keeps the set that was replaced, for a rollback. Gives the file's path from the project's root. */
async function saveReplaced(root: string, commands: readonly unknown[]): Promise<string> {
  const folder = join('.virgule', 'deploys');
  await mkdir(join(root, folder), { recursive: true });
  const time = new Date(systemClock.now())
    .toISOString()
    .replaceAll(':', '-')
    .replace(/\.\d+Z$/, '');
  const file = join(folder, `${time}.json`);
  await writeFile(join(root, file), `${JSON.stringify({ v: 1, commands }, null, 2)}\n`);
  return file;
}
