import type { PendingTask, TaskHandles } from 'virgule';

/** A pending run of `tasks/remind.ts`. */
export type Reminder = PendingTask<{ readonly channelId: string; readonly text: string }>;

/** Number of reminders that are read at a time. */
const PAGE = 1_000;

/** Returns the reminders of a channel, the next first. */
export async function remindersOf(
  channelId: string,
  { remind }: { readonly remind: Pick<TaskHandles['remind'], 'list'> },
): Promise<readonly Reminder[]> {
  const reminders: Reminder[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await remind.list({ limit: PAGE, after });
    reminders.push(...page.filter(({ payload }) => payload.channelId === channelId));
    if (page.length < PAGE) return reminders;
    after = page.at(-1)?.id;
  }
}
