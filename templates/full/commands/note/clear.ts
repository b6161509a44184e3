// commands/note/clear.ts -> /note-clear
import { defineCommand, UserError } from 'virgule';

export default defineCommand({
  description: 'Delete the notes of this channel',
  intents: ['MESSAGE_REACTIONS'],
  async run({ channelId, services, confirm }) {
    const { length } = services.notes.of(channelId);
    // The message of a UserError is shown to the user as it is.
    if (length === 0) throw new UserError('There are no notes to delete.');
    if (!(await confirm(`Delete ${length} notes?`, { by: 'anyone', within: '30s' })))
      return 'Canceled.';
    services.notes.clear(channelId);
    return 'Deleted.';
  },
});
