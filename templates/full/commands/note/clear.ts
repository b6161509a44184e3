// commands/note/clear.ts -> /note-clear
import { defineCommand, UserError } from 'virgule';

export default defineCommand({
  description: 'Throw away the notes of this channel',
  intents: ['MESSAGE_REACTIONS'],
  async run({ channelId, services, confirm }) {
    const { length } = services.notes.of(channelId);
    // A UserError is a text for people: it is said as it stands.
    if (length === 0) throw new UserError('There is nothing to throw away.');
    if (!(await confirm(`Throw away ${length} notes?`, { by: 'anyone', within: '30s' })))
      return 'Kept.';
    services.notes.clear(channelId);
    return 'Gone.';
  },
});
