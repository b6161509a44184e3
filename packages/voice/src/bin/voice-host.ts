/**
 * The process that sends the audio of a bot. It ends when its channel to the bot does, for whatever reason, and closes
 * every ingress before.
 */
import { createRest } from '@virgule/client/rest';
import { systemClock, systemRandom } from '@virgule/core/clock';
import { createEngine } from '../host/engine.js';
import { PING, PONG, type HostReply, type HostRequest } from '../host/message.js';
import { loadTransport, TRANSPORT_NAMES } from '../transport/transport.js';

/** Ends the process if closing takes longer, in milliseconds. */
const CLOSE_MS = 6_000;
/** Time to end the WHIP sessions, in milliseconds, before the ingresses are closed anyway. */
const SESSIONS_MS = 1_000;

const names = TRANSPORT_NAMES.filter((name) => name === process.argv[2]);
const engine = createEngine({
  clock: systemClock,
  random: systemRandom,
  loadTransport: () => loadTransport(names.length > 0 ? names : undefined),
  reply(reply: HostReply) {
    if (process.connected) process.send?.(reply, () => {});
  },
});
process.on('message', (request) => {
  if (request === PING) process.send?.(PONG, () => {});
  else engine.send(request as HostRequest);
});
// Ctrl+C reaches every process of the terminal: the bot decides when its streams end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', () => void end());
// Also while it ends: what fails in one session must not leave the ingresses of all open.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  void end();
});
// The reader may be gone with the bot.
process.stderr.on('error', () => {});

let isEnding = false;
async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  setTimeout(() => process.exit(1), CLOSE_MS);
  const { platform, channels } = engine;
  const closed = engine.close();
  // The platform must not wait for a media server that does not answer.
  await Promise.race([closed, systemClock.sleep(SESSIONS_MS)]);
  if (platform && channels.length > 0) {
    const rest = createRest({ ...platform });
    await Promise.allSettled(channels.map((channelId) => rest.voice.closeIngress(channelId)));
    await rest.close();
  }
  await closed;
  // Native threads would keep it alive.
  process.exit(0);
}
