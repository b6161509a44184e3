import { systemClock } from '@virgule/core/clock';
import { startSimulator } from '@virgule/simulator';
import { runBuilt } from '../build/run-built.js';
import { defineCliCommand } from '../terminal/command.js';
import { freePort } from '../terminal/free-port.js';
import { MODE_FLAG } from '../terminal/help.js';
import { createLogText } from '../terminal/log-text.js';
import { openBrowser } from '../terminal/open-browser.js';
import { readIoEnv } from '../terminal/read-io-env.js';
import { openVoiceReceiver } from '../project/voice-receiver.js';
import { assertBuilt, warnIfStale } from './start.js';

/** As in `virgule dev`: a preview does not use what `.env.production` names, such as a database. */
const MODE = 'development';

export const preview = defineCliCommand({
  name: 'preview',
  words: '',
  about: 'Run the built bot on a local simulator with a chat page',
  flags: {
    ...MODE_FLAG,
    port: {
      type: 'port',
      value: 'N',
      about: 'Listen on this port or fail (default: the first free one from 7300)',
    },
    open: { type: 'boolean', about: 'Open the chat page in the browser' },
  },
  examples: ['virgule build && virgule preview', 'virgule preview --open'],
  exits: { 0: 'stopped by Ctrl+C or SIGTERM', 1: 'it could not start, or the bot failed' },
  async run({ flags }, io) {
    assertBuilt(io);
    await warnIfStale(io);
    // For the redactor, and so that files that cannot be read are reported here. The bot reports lines.
    readIoEnv(io, flags.mode ?? MODE, () => {});
    await using platform = await freePort(
      flags.port,
      (port) => startSimulator({ port, openReceiver: () => openVoiceReceiver(io.cwd) }),
      (text) => void io.stderr.write(`${text}\n`),
    );
    io.stdout.write(`\n  Preview of dist/bot.mjs\n  Page     ${platform.page}\n\n`);
    if (flags.open) {
      const reason = await openBrowser(platform.page, io.env);
      if (reason !== undefined) io.stderr.write(`! The browser could not be opened: ${reason}\n`);
    }
    const toText = createLogText({ color: io.color, now: () => systemClock.now() });
    // Awaited here: the simulator is closed afterwards.
    return await runBuilt({
      root: io.cwd,
      args: [`--mode=${flags.mode ?? MODE}`, '--sync', '--preview'],
      env: {
        ...(io.color && { FORCE_COLOR: '1' }),
        ...io.env,
        BOT_TOKEN: platform.token,
        BOT_BASE_URL: platform.baseUrl,
        BOT_GATEWAY_URL: platform.gatewayUrl,
      },
      interrupt: io.interrupt,
      terminal: io.terminal,
      onLine: (line) => void io.stdout.write(toText(line)),
    });
  },
});
