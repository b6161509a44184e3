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
  const table = ['| input | type | meaning |', '|---|---|---|', ...rows].join('\n');
  return `### \`${name}\`

\`${reads ? 'GET' : 'POST'} /_sim/${name}\`: ${about}.

${rows.length === 0 ? 'It has no input.' : table}
`;
}

const INTRODUCTION = `# Control API

The actions of the simulator act as users, change the world, and read its state. One table defines the actions, which are
available in five ways with the same inputs and the same JSON:

| where | how |
|---|---|
| HTTP | \`POST /_sim/say\` with a JSON body; actions that only read are also \`GET\` with a query |
| command line | \`virgule sim say "hi" --as grace --json\`, in the folder of a running \`virgule dev\` |
| coding agents | the tool \`say\` of [\`virgule mcp\`](../recipes/agents.md) |
| a test | \`await bot.platform.act('say', { content: 'hi', as: 'grace' })\` |
| the chat page | its buttons |

The actions are not part of the Bot Interface, and the real platform does not have them.

\`\`\`sh
npx virgule simulator --port 7300 &
curl -s -X POST http://127.0.0.1:7300/_sim/say -d '{ "content": "ping", "as": "grace" }'
curl -s 'http://127.0.0.1:7300/_sim/messages?channel=general&limit=10'
\`\`\`

Requests need no token, and are refused if \`Host\` or \`Origin\` names another server. Bodies are JSON of up to 64 KiB, except
for \`attach\`. Inputs name channels and users by id or by name; ids of users, servers and channels are the same at every start.
Errors have the form and the codes of the platform: \`code\`, \`message\`, \`details\`, \`requestId\`. The error of an unknown id, or
name of a channel, user or command, is 404 \`bot_not_found\`; of an unknown action, 501 \`sim_not_implemented\`.

On the command line, words are inputs in the order of the tables: \`virgule sim clock skip 15m\`. Any input is also a flag:
\`replyTo\` is \`--reply-to\`. Inputs that are lists or objects are JSON, or \`@\` and the name of a JSON file.

\`/_ui\` is a WebSocket. Each frame is an array of events: the first frame has the \`snapshot\`, which is the result of the action
\`world\`, and later frames have the events of one turn: \`message\`, \`typing\`, \`interaction\`, \`commands\`, \`bot\`, \`voice\`, \`problems\`,
\`places\`, \`clock\` or \`reloaded\`.
`;

const USERS = `Actions of users wait for the response of the bot, up to \`seconds\`, and return \`id\` of the interaction, message or voice channel,
\`message\` or \`interaction\`, \`received\` (true if a bot received an event), \`handlers\` (files that handle the
command or the events, if \`virgule dev\` runs), \`replies\` (messages of the bot), \`trace\` (events,
requests and log entries with their bodies), and \`note\` if the time was up. The wait ends when a command is answered and nothing
was added to the trace for 0.5 s. The wait takes real time, even in a test with a fake clock.

The page runs commands with the endpoint of the platform instead, [\`user.runCommand\`](./endpoints.md).
`;

const WORLD = `A snapshot holds the messages, the answered interactions, and the changes of users and places. \`virgule dev\` keeps
snapshots in \`.virgule/snapshots/\`; elsewhere they are lost when the simulator closes. The bot stays connected when a snapshot is restored,
and receives no event.

The clock of the world decides when interactions and uploads expire, and dates messages. Connections, faults and rate limits use
the real time, as the bot does.
`;

const PLACES = `Without an \`id\`, these actions add a user or place, and return it. The maximum is 1,000 users and 100 servers, as for \`size\` of
\`startSimulator\`. The messages of a deleted user stay, with the author "Deleted user". Owners of servers, the first server, the first bot and the
last text channel of a server cannot be deleted.
`;

const READING = `The simulator keeps the last 5,000 changes of the world, and up to as many more, since its start. A _moment_ is
the number of changes of the world up to that time; each row of the trace has a moment, and the \`state\` has the \`first\` and the
\`last\` one in \`past\`. The error of a moment that is not kept is 404. \`tasks\`, \`task\` and \`storage\` ask the process of \`virgule dev\`.
`;
