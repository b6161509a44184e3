import { countOf } from '@virgule/core/text';

export type RouteCounts = Readonly<Record<'commands' | 'events' | 'tasks', number>>;

/** Returns `2 commands, 0 event handlers`, with the tasks if there are any. */
export function countRoutes({ commands, events, tasks }: RouteCounts): string {
  const counts = [countOf(commands, 'command'), countOf(events, 'event handler')];
  if (tasks > 0) counts.push(countOf(tasks, 'task'));
  return counts.join(', ');
}
