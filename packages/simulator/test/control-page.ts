// The page docs/reference/control-api.md, from the table of actions.
import { isRecord } from '@virgule/core/objects';
import * as z from 'zod';
import type { SimAction } from '../src/control/action.js';
import { PLACE_ACTIONS } from '../src/control/place-actions.js';
import { READING_ACTIONS } from '../src/control/reading-actions.js';
import { USER_ACTIONS } from '../src/control/user-actions.js';
import { WORLD_ACTIONS } from '../src/control/world-actions.js';

export function controlPage(): string {
  return [
    INTRODUCTION,
    ...section('Act as users', USERS, USER_ACTIONS),
    ...section('Break the platform, move time, save the world', WORLD, WORLD_ACTIONS),
    ...section('Change users and places', PLACES, PLACE_ACTIONS),
    ...section('Read what happened', READING, READING_ACTIONS),
  ].join('\n');
}

const section = (title: string, text: string, actions: readonly SimAction[]): string[] => [
  `## ${title}\n\n${text}`,
  ...actions.map(actionText),
];

function actionText({ name, about, reads, input }: SimAction): string {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' });
  const rows = Object.entries(properties).map(([key, schema]) => {
    const {
      type,
      anyOf,
      enum: choices,
      default: usual,
      description = '',
    } = isRecord(schema) ? schema : {};
    const shown = Array.isArray(choices)
      ? choices.map((choice) => `\`${String(choice)}\``).join(' ')
      : String(type ?? (anyOf === undefined ? 'any' : 'object'));
    const notes = [
      String(description),
      usual === undefined || usual === '' ? '' : `default \`${JSON.stringify(usual)}\``,
    ];
    const cells = [
      `\`${key}${required.includes(key) ? '' : '?'}\``,
      shown,
      notes.filter(Boolean).join('; '),
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  });
  const table = ['| input | type | description |', '|---|---|---|', ...rows].join('\n');
  return `### \`${name}\`

\`${reads ? 'GET' : 'POST'} /_sim/${name}\`: ${about}.

${rows.length === 0 ? 'This action has no inputs.' : table}
`;
}

const INTRODUCTION = `# Control API

The simulator's actions act as users, change the world, and read its state. One table defines all actions. They are
available in five ways, with the same inputs and the same JSON:

| where | how |
|---|---|
| HTTP | \`POST /_sim/say\` with a JSON body; read-only actions also accept \`GET\` with a query |
| command line | \`virgule sim say "hi" --as grace --json\`, in the folder of a running \`virgule dev\` |
| coding agents | the \`say\` tool of [\`virgule mcp\`](../recipes/agents.md) |
| a test | \`await bot.platform.act('say', { content: 'hi', as: 'grace' })\` |
| the chat page | its buttons |

The actions are not part of the Bot Interface, and the real platform does not have them.

\`\`\`sh
npx virgule simulator --port 7300 &
curl -s -X POST http://127.0.0.1:7300/_sim/say -d '{ "content": "ping", "as": "grace" }'
curl -s 'http://127.0.0.1:7300/_sim/messages?channel=general&limit=10'
\`\`\`

Requests don't need a token, but are refused if \`Host\` or \`Origin\` names another server. Bodies are JSON of up to 64 KiB, except
for \`attach\`. Inputs refer to channels and users by id or by name. The ids of users, servers and channels are the same at every start.
Errors have the same format and codes as platform errors: \`code\`, \`message\`, \`details\`, \`requestId\`. An unknown id, or an unknown
name of a channel, user or command, returns 404 \`bot_not_found\`. An unknown action returns 501 \`sim_not_implemented\`.

On the command line, pass the inputs as positional arguments in the order of the tables: \`virgule sim clock skip 15m\`. You can also
pass each input as a flag: \`replyTo\` is \`--reply-to\`. For lists and objects, pass JSON, or \`@\` followed by the name of a JSON file.

\`/_ui\` is a WebSocket. Each frame is an array of events. The first frame contains the \`snapshot\`, which is the result of the
\`world\` action. Each later frame contains the events of one turn: \`message\`, \`typing\`, \`interaction\`, \`commands\`, \`bot\`, \`voice\`, \`problems\`,
\`places\`, \`clock\` or \`reloaded\`.
`;

const USERS = `User actions wait up to \`seconds\` for the bot's response. They return the \`id\` of the interaction, message or voice channel,
\`message\` or \`interaction\`, \`received\` (true if a bot received an event), \`handlers\` (the files that handle the
command or the events, if \`virgule dev\` is running), \`replies\` (the bot's messages), \`trace\` (events,
requests and log entries with their bodies), and a \`note\` if the wait timed out. The wait ends when the command is answered and nothing
has been added to the trace for 0.5 s. It takes real time, even in a test with a fake clock.

A bot in \`virgule dev\` or in a test names the message with each request. Without \`virgule dev\`, requests that name no message are
assumed to be the response if they arrive during the wait, are for the channel of the message, and are not \`GET\`. They may also belong to a task or to
another message. \`follow\` does not return them. The response to a command is exact for every bot.

The chat page instead runs commands with the platform's endpoint [\`user.runCommand\`](./endpoints.md).
`;

const WORLD = `A snapshot contains the messages, the answered interactions, and the changes to users and places. \`virgule dev\` keeps
snapshots in \`.virgule/snapshots/\`. Otherwise, they are lost when the simulator closes. When you restore a snapshot, the bot stays
connected and receives no event.

The world's clock determines when interactions and uploads expire, and the dates of messages. Connections, faults and rate limits use
real time, as the bot does.
`;

const PLACES = `Without an \`id\`, these actions add a user or place and return it. The maximum is 1,000 users and 100 servers, as for the \`size\` option of
\`startSimulator\`. When you delete a user, the user's messages stay, with the author "Deleted user". You cannot delete server owners,
the first server, the first bot, or the last text channel of a server.
`;

const READING = `The simulator keeps at least the last 5,000 changes to the world since its start, and at most twice as many. A _moment_ is
the number of changes to the world up to that time. Each row of the trace has a moment, and \`past\` in the \`state\` contains the
\`first\` and the \`last\` moment. A moment that is no longer kept returns 404. \`tasks\`, \`task\` and \`storage\` query the
\`virgule dev\` process.
`;
