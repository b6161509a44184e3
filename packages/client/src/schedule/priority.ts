import type { RequestPlan } from '../call/request-plan.js';

/** How much a call matters: no user waits for a `background` one. */
export type CallPriority = 'awaited' | 'background';

/** Who goes first. Answers to interactions and their files are a class of their own, whatever a caller says. */
export type PriorityClass = 'interaction' | CallPriority;

/** From the first to the last. */
export const PRIORITY_CLASSES: readonly PriorityClass[] = ['interaction', 'awaited', 'background'];

export function priorityClass(
  { lane }: Pick<RequestPlan, 'lane'>,
  priority: PriorityClass = 'awaited',
): PriorityClass {
  return lane === 'interaction' ? 'interaction' : priority;
}
