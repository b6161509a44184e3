// Runs the bot of a soak test in a separate process.
import { answerParent } from '../rounds/parent-port.js';
import { openHandles, takeSample } from '../soak/process-state.js';
import { startSignalBot } from '../soak/signal-bot.js';
import { startSoakBot, type SoakBot, type SoakBotOptions } from '../soak/soak-bot.js';

let bot: SoakBot | undefined;

answerParent({
  handles: openHandles,
  sample: takeSample,
  async start(options: SoakBotOptions) {
    bot = await startSoakBot(options);
  },
  begin: () => bot?.begin(),
  end: () => bot?.end(),
  close: () => bot?.close(),
  signals: startSignalBot,
});
