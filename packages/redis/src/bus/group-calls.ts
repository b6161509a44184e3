import { errorText } from '@virgule/core/errors';
import { asList, valueOf, type Connection, type Reply } from '../connection/connection.js';
import { isLater } from './entry.js';
import { GROUP, type Keys } from './keys.js';

/** Creates the functions on the consumer group of the workers in each stream. */
export function createGroupCalls(connection: Connection, { commands, events, dead }: Keys) {
  /** Returns the groups of a stream, at most one, as lists of names and values. */
  const groupsOf = async (stream: string): Promise<readonly (readonly Reply[])[]> =>
    connection.call('XINFO', 'GROUPS', stream).then(
      (groups) => asList(groups).map(asList),
      (error: unknown) => {
        if (errorText(error).includes('no such key')) return [];
        throw error;
      },
    );

  /** Creates the missing groups of the streams. A new group also reads earlier entries. */
  async function createGroups(): Promise<void> {
    const create = (stream: string): Promise<unknown> =>
      connection
        .call('XGROUP', 'CREATE', stream, GROUP, 0, 'MKSTREAM')
        .catch(async (error: unknown) => {
          // The group exists, which a full Redis does not say.
          if ((await groupsOf(stream)).length === 0) throw error;
        });
    await Promise.all([commands, ...events].map(create));
  }

  async function unreadOf(stream: string): Promise<{ waiting: number; lost: number }> {
    const [info, [group = []]] = await Promise.all([
      connection.call('XINFO', 'STREAM', stream).then(asList),
      groupsOf(stream),
    ]);
    const [first = '0-0'] = asList(valueOf(info, 'first-entry'));
    const length = Number(valueOf(info, 'length'));
    const delivered = String(valueOf(group, 'last-delivered-id'));
    // The lag of a group without reads counts only from the first kept entry.
    const [source, name] = delivered === '0-0' ? [info, 'entries-added'] : [group, 'lag'];
    const lag = Number(valueOf(source, name) ?? 0);
    if (delivered === valueOf(info, 'last-generated-id')) return { waiting: 0, lost: 0 };
    // The last delivered entry was trimmed too, so no kept entry has been read.
    if (isLater(String(first), delivered))
      return { waiting: length, lost: Math.max(0, lag - length) };
    return { waiting: Math.min(lag, length), lost: 0 };
  }

  /**
   * Returns the number of events that no worker has read (`waiting`), and the number of unread events that the streams no
   * longer keep (`lost`). Both are 0 with a Redis before 7.0, which has no such counts.
   */
  async function unreadEvents(): Promise<{ readonly waiting: number; readonly lost: number }> {
    const counts = await Promise.all(events.map(unreadOf));
    const sum = (of: 'waiting' | 'lost'): number =>
      counts.reduce((total, each) => total + each[of], 0);
    return { waiting: sum('waiting'), lost: sum('lost') };
  }

  return {
    createGroups,

    /** Creates the groups again if an error shows that Redis lost all its data. Never rejects. */
    async restoreGroups(error: unknown): Promise<void> {
      if (/NOGROUP|no such key/.test(errorText(error))) await createGroups().catch(() => {});
    },

    unreadEvents,

    /** Returns the numbers of unread commands, of unended commands that a worker has, of unread events and dead entries. */
    async figures() {
      const [unended, [begun = 0], deadEntries, unread] = await Promise.all([
        connection.call('XLEN', commands),
        connection.call('XPENDING', commands, GROUP).then(asList),
        connection.call('XLEN', dead),
        unreadEvents(),
      ]);
      return {
        commands_waiting: Number(unended) - Number(begun),
        commands_begun: Number(begun),
        events_waiting: unread.waiting,
        dead: Number(deadEntries),
      };
    },
  };
}
