/** How much a call matters: no user waits for a `background` one. */
export type CallPriority = 'awaited' | 'background';

/** Who goes first. Answers to interactions and their files are a class of their own, whatever a caller says. */
export type PriorityClass = 'interaction' | CallPriority;

/** From the first to the last. */
export const PRIORITY_CLASSES: readonly PriorityClass[] = ['interaction', 'awaited', 'background'];
