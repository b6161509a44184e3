import type { VirguleError } from '@virgule/core/errors';
import { INTENTS } from '@virgule/core/protocol';
import type { Command, EventListener, Manifest, Project } from '@virgule/runtime/project';

/**
 * Merges a new read with the previous project. A command, listener or task that was not read again, or is no longer
 * valid, keeps its previous version; one whose file was deleted is removed.
 *
 * @param manifest - current routes of the files.
 * @param misplaced - problems of file locations, such as two files for one command.
 */
export function keepLastGood(
  before: Project | undefined,
  now: Project,
  manifest: Manifest,
  misplaced: readonly VirguleError[],
): Project {
  if (!before) return now;
  // A missing folder is most likely being moved, so its commands stay.
  const isFolderGone = misplaced.some(({ code }) => code === 'E_NO_COMMANDS_FOLDER');
  const commands = isFolderGone ? before.commands : commandsOf(before, now, manifest, misplaced);
  const needed = new Set([...before.intents, ...now.intents]);
  return {
    ...now,
    commands,
    events: listenersOf(before, now, manifest),
    tasks: tasksOf(before, now, manifest),
    intents: INTENTS.filter((intent) => needed.has(intent)),
  };
}

function commandsOf(
  before: Project,
  now: Project,
  manifest: Manifest,
  misplaced: readonly VirguleError[],
): ReadonlyMap<string, Command> {
  const commands = new Map<string, Command>();
  const contested = new Set(misplaced.flatMap((problem) => claimants(problem)));
  for (const { name } of manifest.commands) {
    const old = before.commands.get(name);
    const command = old && contested.has(old.file) ? old : (now.commands.get(name) ?? old);
    if (command) commands.set(name, command);
  }
  return commands;
}

/** Returns the files that claim one name, which stays with its previous file. */
function claimants({ code, details }: VirguleError): readonly unknown[] {
  const files = code === 'E_COMMAND_CONFLICT' ? details['files'] : undefined;
  return Array.isArray(files) ? files : [];
}

function listenersOf(
  before: Project,
  now: Project,
  manifest: Manifest,
): ReadonlyMap<string, readonly EventListener[]> {
  const find = (project: Project, event: string, file: string): EventListener | undefined =>
    project.events.get(event)?.find((listener) => listener.file === file);
  const events = new Map<string, EventListener[]>();
  for (const { event, file } of manifest.events) {
    const listener = find(now, event, file) ?? find(before, event, file);
    if (listener) events.set(event, [...(events.get(event) ?? []), listener]);
  }
  return events;
}

function tasksOf(before: Project, now: Project, { tasks }: Manifest): Project['tasks'] {
  const found = tasks.flatMap(({ name }) => now.tasks.get(name) ?? before.tasks.get(name) ?? []);
  return new Map(found.map((task) => [task.name, task]));
}

/** Returns whether two projects have the same commands, event listeners and tasks, with the same code. */
export function isSameProject(a: Project, b: Project): boolean {
  const listeners = (project: Project): unknown[] => [...project.events.values()].flat();
  return (
    isSameList([...a.commands.values()], [...b.commands.values()]) &&
    isSameList(listeners(a), listeners(b)) &&
    isSameList([...a.tasks.values()], [...b.tasks.values()])
  );
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
