import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What `virgule dev --json` says in its `ready` event.
 *
 * @typedef {{ page: string, baseUrl: string, token: string, userToken: string }} Ready
 */

/** The platform's REST interface, asked by the bot (to look) or by a user (to type). */
function createApi({ baseUrl, token, userToken }) {
  const call = async (path, init) => {
    const response = await fetch(baseUrl + path, { signal: AbortSignal.timeout(5_000), ...init });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${init.method ?? 'GET'} ${path} answered ${response.status}: ${text}`);
    }
    return text === '' ? undefined : JSON.parse(text);
  };
  const look = (path) => call(`/api/bot/v1${path}`, { headers: { authorization: `Bot ${token}` } });
  const type = (channelId, commandId, rawInput) =>
    call(`/api/channels/${channelId}/interactions/commands`, {
      method: 'POST',
      headers: { authorization: `Bearer ${userToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ commandId, rawInput }),
    });
  return { look, type };
}

/** The text channel that every fresh simulator has. */
async function findChannel(look) {
  for (const { id } of await look('/servers')) {
    const channels = await look(`/servers/${id}/channels`);
    const general = channels.find((channel) => channel.name === 'general');
    if (general !== undefined) return general;
  }
  throw new Error('No server that the bot sees has a channel "general"');
}

/** @param {(path: string) => Promise<any>} look */
async function botMessages(look, channelId, botUserId) {
  const { messages } = await look(`/channels/${channelId}/messages?limit=10`);
  return messages.filter((message) => message.authorId === botUserId);
}

/** Asks until `find` finds something or the time is over. */
async function poll(find, deadlineAt) {
  while (performance.now() < deadlineAt) {
    const found = await find();
    if (found !== undefined) return found;
    await sleep(50);
  }
  return undefined;
}

/**
 * Runs command lines one after the other as a user and reads the bot's answers from the channel.
 *
 * @param {Ready} ready
 * @param {{ lines: readonly string[], withinSeconds: number, print: (line: string) => void }} options
 * @throws {Error} when the bot does not answer a line in time
 */
export async function runAsUser(ready, { lines, withinSeconds, print }) {
  const { look, type } = createApi(ready);
  const { botUserId } = await look('/users/@me');
  const channel = await findChannel(look);
  for (const line of lines) {
    const deadlineAt = performance.now() + withinSeconds * 1000;
    const name = line.slice(1).split(' ')[0];
    const command = await poll(
      async () => (await look('/commands')).find((candidate) => candidate.name === name),
      deadlineAt,
    );
    if (command === undefined) throw new Error(`The bot registered no command /${name}`);
    const before = await botMessages(look, channel.id, botUserId);
    const known = new Set(before.map((message) => message.id));
    print(`> ${line}`);
    await type(channel.id, command.id, line);
    const answer = await poll(async () => {
      const messages = await botMessages(look, channel.id, botUserId);
      return messages.find((message) => !known.has(message.id) && message.content !== '');
    }, deadlineAt);
    if (answer === undefined) {
      throw new Error(`The bot did not answer ${line} within ${withinSeconds} s`);
    }
    print(`< ${answer.content.replaceAll('\n', '\n  ')}`);
  }
}
