import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The `ready` event of `virgule dev --json`.
 *
 * @typedef {{ page: string, baseUrl: string, token: string, userToken: string }} Ready
 */

/** Creates functions that read as the bot and run commands as a user. */
function createApi({ baseUrl, token, userToken }) {
  const call = async (path, init) => {
    const response = await fetch(baseUrl + path, { signal: AbortSignal.timeout(5_000), ...init });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${init.method ?? 'GET'} ${path} responded with ${response.status}: ${text}`);
    }
    return text === '' ? undefined : JSON.parse(text);
  };
  const read = (path) => call(`/api/bot/v1${path}`, { headers: { authorization: `Bot ${token}` } });
  const runCommand = (channelId, commandId, rawInput) =>
    call(`/api/channels/${channelId}/interactions/commands`, {
      method: 'POST',
      headers: { authorization: `Bearer ${userToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ commandId, rawInput }),
    });
  return { read, runCommand };
}

/** Returns the text channel that every new simulator has. */
async function findChannel(read) {
  for (const { id } of await read('/servers')) {
    const channels = await read(`/servers/${id}/channels`);
    const general = channels.find((channel) => channel.name === 'general');
    if (general !== undefined) return general;
  }
  throw new Error('No server of the bot has a channel "general".');
}

/** @param {(path: string) => Promise<any>} read */
async function botMessages(read, channelId, botUserId) {
  const { messages } = await read(`/channels/${channelId}/messages?limit=10`);
  return messages.filter((message) => message.authorId === botUserId);
}

/** Calls `find` until it returns something or the deadline passes. */
async function poll(find, deadlineAt) {
  while (performance.now() < deadlineAt) {
    const found = await find();
    if (found !== undefined) return found;
    await sleep(50);
  }
  return undefined;
}

/**
 * Runs commands one after the other as a user, and reads the bot's answers from the channel.
 *
 * @param {Ready} ready
 * @param {{ lines: readonly string[], withinSeconds: number, print: (line: string) => void }} options
 * @throws {Error} if the bot does not answer a command in time
 */
export async function runAsUser(ready, { lines, withinSeconds, print }) {
  const { read, runCommand } = createApi(ready);
  const { botUserId } = await read('/users/@me');
  const channel = await findChannel(read);
  for (const line of lines) {
    const deadlineAt = performance.now() + withinSeconds * 1000;
    const name = line.slice(1).split(' ')[0];
    const command = await poll(
      async () => (await read('/commands')).find((candidate) => candidate.name === name),
      deadlineAt,
    );
    if (command === undefined)
      throw new Error(`The bot did not register /${name} within ${withinSeconds} s.`);
    const before = await botMessages(read, channel.id, botUserId);
    const known = new Set(before.map((message) => message.id));
    print(`> ${line}`);
    await runCommand(channel.id, command.id, line);
    const answer = await poll(async () => {
      const messages = await botMessages(read, channel.id, botUserId);
      return messages.find((message) => !known.has(message.id) && message.content !== '');
    }, deadlineAt);
    if (answer === undefined) {
      throw new Error(`The bot did not answer ${line} within ${withinSeconds} s.`);
    }
    print(`< ${answer.content.replaceAll('\n', '\n  ')}`);
  }
}
