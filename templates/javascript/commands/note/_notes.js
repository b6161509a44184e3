// A file whose name begins with `_` is no command: it is for the files around it.
/** @type {Map<string, string[]>} */
const notesByChannel = new Map();

/** @param {string} channelId */
export const notesOf = (channelId) => notesByChannel.get(channelId) ?? [];

/**
 * @param {string} channelId
 * @param {string} text
 */
export function addNote(channelId, text) {
  const notes = [...notesOf(channelId), text];
  notesByChannel.set(channelId, notes);
  return notes.length;
}
