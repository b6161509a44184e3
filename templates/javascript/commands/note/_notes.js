// A file whose name starts with `_` is not a command. It contains code for the files next to it.
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
