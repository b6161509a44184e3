import type { Rest } from '@virgule/client/rest';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { isRecord } from '@virgule/core/objects';
import type { VoiceParticipant, VoiceState, VoiceStateEvent } from '@virgule/core/protocol';

interface Change {
  readonly userId: string;
  readonly channelId: string | null;
  readonly participants: readonly VoiceParticipant[];
}

export type VoiceMembers = ReturnType<typeof createVoiceMembers>;

/** Creates the list of participants of each voice channel, read once per server and updated by VOICE_STATE_UPDATE. */
export function createVoiceMembers(rest: Pick<Rest, 'voice' | 'servers'>, log: Log) {
  let followed: Map<string, ServerMembers> | undefined;
  const open = (serverId: string): ServerMembers =>
    new ServerMembers(() => rest.voice.state(serverId));
  const openAll = (ids: readonly string[]) => new Map(ids.map((id) => [id, open(id)]));

  async function readAll(servers: Iterable<ServerMembers>): Promise<void> {
    // The servers are read one after the other, because other calls are more urgent.
    for (const server of servers) {
      await server.load().catch((error: unknown) => {
        log.warn({ error: errorText(error) }, 'could not read who is in the voice channels');
      });
    }
  }

  return {
    /** Reads the voice channels of these servers, and follows them from now on. */
    connected(serverIds: readonly string[]): void {
      followed = openAll(serverIds);
      void readAll(followed.values());
    },
    /** Takes the payload of a VOICE_STATE_UPDATE. Returns it with `previousChannelId`, if that is known. */
    follow(data: unknown): unknown {
      if (!followed || !isRecord(data)) return data;
      const { serverId, userId, channelId, participants } = data;
      const isKnown = typeof serverId === 'string' && typeof userId === 'string';
      if (!isKnown || (channelId !== null && typeof channelId !== 'string')) return data;
      let server = followed.get(serverId);
      if (!server) followed.set(serverId, (server = open(serverId)));
      const listed = Array.isArray(participants) ? participants.filter(isParticipant) : [];
      const previousChannelId = server.apply({ userId, channelId, participants: listed });
      return previousChannelId === undefined ? data : { ...data, previousChannelId };
    },
    /** Returns who is in a channel; `undefined` if the platform does not say. Without `connected`, it is read each time. */
    async of(channelId: string): Promise<readonly VoiceParticipant[] | undefined> {
      const servers = followed ?? openAll((await rest.servers.list()).map(({ id }) => id));
      const loads: Promise<boolean>[] = [];
      for (const server of servers.values()) {
        const load = server.load();
        loads.push(load);
        // The channel may be one of another server.
        if (!(await load.catch(() => false))) continue;
        const members = server.in(channelId);
        if (members.length === 0) continue;
        if (members.every((member) => member !== undefined)) return members;
        // An event named a user that no snapshot has described yet.
        await server.reload();
        return server.in(channelId).filter((member) => member !== undefined);
      }
      return (await Promise.all(loads)).every(Boolean) ? [] : undefined;
    },
  };
}

class ServerMembers {
  readonly #read: () => Promise<VoiceState | undefined>;
  /** Members by user id. No snapshot and no event has described a member without a person. */
  readonly #members = new Map<string, { readonly channelId: string; person?: VoiceParticipant }>();
  #loading: Promise<boolean> | undefined;
  #isLoaded = false;
  /** Changes that arrived while a snapshot was read, which may be older than these. */
  #since: Change[] = [];

  constructor(read: () => Promise<VoiceState | undefined>) {
    this.#read = read;
  }

  /** Reads the snapshot, once. Resolves to whether it was readable. */
  load(): Promise<boolean> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async reload(): Promise<void> {
    this.#loading = undefined;
    await this.load();
  }

  in(channelId: string): readonly (VoiceParticipant | undefined)[] {
    const members = [...this.#members.values()].filter((each) => each.channelId === channelId);
    return members.map(({ person }) => person);
  }

  /** Returns where the user was before: `null` for nowhere, `undefined` if that is not known. */
  apply(change: Change): string | null | undefined {
    const { userId, channelId, participants } = change;
    const known = this.#members.get(userId);
    if (!this.#isLoaded) this.#since.push(change);
    if (channelId === null) this.#members.delete(userId);
    else this.#members.set(userId, { ...known, channelId });
    for (const person of participants) {
      const member = this.#members.get(person.userId);
      if (member) member.person = person;
    }
    return known?.channelId ?? (this.#isLoaded ? null : undefined);
  }

  async #load(): Promise<boolean> {
    this.#isLoaded = false;
    this.#since = [];
    const state = await this.#read();
    if (!state) return false;
    this.#members.clear();
    for (const { channelId, participants } of state.channels)
      for (const person of participants) this.#members.set(person.userId, { channelId, person });
    this.#isLoaded = true;
    const since = this.#since;
    this.#since = [];
    for (const change of since) this.apply(change);
    return true;
  }
}

const isParticipant = (value: unknown): value is VoiceParticipant =>
  isRecord(value) && typeof value['userId'] === 'string';

/** Change of a user in a VOICE_STATE_UPDATE. */
export interface VoiceChange {
  readonly type: 'join' | 'leave' | 'move';
  readonly userId: string;
  /** The channel before; `null` if there was none, `undefined` if that is not known, such as right after a start. */
  readonly from: string | null | undefined;
  /** The channel now; `null` after `leave`. */
  readonly to: string | null;
}

/**
 * Returns the change of a user (join, leave or move) in the `data` of an event. Requires the setting `voice`, which tracks
 * the channels of users. Without the setting, `from` is `undefined`, and a move looks like a join.
 *
 * @example
 * ```ts
 * export default defineEvent('VOICE_STATE_UPDATE', ({ data, log }) => {
 *   const { type, userId, to } = voiceChange(data);
 *   log.info({ type, userId, to }, 'voice');
 * });
 * ```
 */
export function voiceChange(data: VoiceStateEvent): VoiceChange {
  const { userId, channelId: to } = data;
  // Added by `follow`.
  const { previousChannelId: from } = data as { readonly previousChannelId?: string | null };
  const isMove = typeof from === 'string' && from !== to;
  return { type: to === null ? 'leave' : isMove ? 'move' : 'join', userId, from, to };
}
