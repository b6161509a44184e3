export interface Notes {
  /** The notes of a channel, oldest first. */
  of(channelId: string): readonly string[];
  add(channelId: string, text: string): number;
  clear(channelId: string): void;
}

/** Stores notes in memory, so a restart deletes them. To keep them, implement the same functions with a database. */
export function createNotes(): Notes {
  const byChannel = new Map<string, string[]>();
  return {
    of: (channelId) => byChannel.get(channelId) ?? [],
    add(channelId, text) {
      const notes = [...(byChannel.get(channelId) ?? []), text];
      byChannel.set(channelId, notes);
      return notes.length;
    },
    clear: (channelId) => void byChannel.delete(channelId),
  };
}
