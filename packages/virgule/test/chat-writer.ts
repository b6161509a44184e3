// A program that writes into a chat without a pause, and prints the number of each message and when it was sent.
// Its folder is its only argument; it ends when it is killed.
import { writeSync } from 'node:fs';
import { systemClock } from '@virgule/core/clock';
import { startSimulator } from '@virgule/simulator';
import { keepChat, readSavedChat } from '../src/state/saved-chat.js';

const root = process.argv[2] ?? '';
const simulator = await startSimulator({ port: null, pageDir: null, saved: readSavedChat(root) });
keepChat({
  root,
  simulator,
  clock: systemClock,
  onTrouble: (text) => {
    throw new Error(text);
  },
  // So that it is often killed while it truncates the file.
  growthBytes: 16_384,
});
let count = simulator.messages().filter(({ content }) => content.startsWith('n=')).length;
for (;;) {
  simulator.sendMessage({ content: `n=${count} ${'x'.repeat(1_000)}` });
  writeSync(1, `${count} ${systemClock.monotonic()}\n`);
  count += 1;
  await systemClock.sleep(5);
}
