import type { PendingTask, TaskHandles } from 'virgule';

/** A pending run of `tasks/remind.ts`. */
export type Reminder = PendingTask<{ readonly channelId: string; readonly text: string }>;

/** Returns the reminders of a channel, the next first. */
export async function remindersOf(
  channelId: string,
  { remind }: TaskHandles,
): Promise<readonly Reminder[]> {
  const reminders = await remind.list({ limit: 1_000 });
  return reminders.filter(({ payload }) => payload.channelId === channelId);
}
