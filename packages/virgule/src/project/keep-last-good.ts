import type { VirguleError } from '@virgule/core/errors';
import { INTENTS } from '@virgule/core/protocol';
import type { Command, EventListener, Manifest, Project } from '@virgule/runtime/project';

/**
 * Merges what was read now with what was there before: a command, listener or task that was not read again, or is no longer
 * valid, stays as it was; one whose file is deleted is removed.
 *
 * @param manifest - what the files mean now.
 * @param misplaced - what is wrong with the places of files, such as two for one command.
 */
export function keepLastGood(
  before: Project | undefined,
  now: Project,
  manifest: Manifest,
  misplaced: readonly VirguleError[],
): Project {
  if (!before) return now;
  // Without the folder there is nothing to compare with: most likely it is being moved.
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

/** Returns the files that claim one name, of which the one that had it keeps it. */
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

/** Returns whether two projects answer to the same commands and events, and have the same tasks, with the same code. */
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
