// The end of each /poll. A poll of a week survives restarts and deploys.
import { defineTask } from 'virgule';
import * as z from 'zod';

export default defineTask({
  waits: 'votes',
  payload: z.object({ question: z.string() }),
  async run({ answer, payload, question }) {
    const count = (emoji: string) => answer[emoji]?.length ?? 0;
    await question.edit(`**${payload.question}**\n👍 ${count('👍')}   👎 ${count('👎')}`);
  },
});
