// The page docs/reference/endpoints.md, from the tables that the client and the simulator use.
import * as z from 'zod';
import {
  API_PREFIX,
  attachmentAccessUrlSchema,
  botMeSchema,
  channelSchema,
  commandOptionSchema,
  commandSchema,
  customEmojiSchema,
  ENDPOINTS,
  messageAttachmentDraftSchema,
  messageAttachmentSchema,
  messageContextSchema,
  messagePageSchema,
  messageReactionDetailsSchema,
  messageReactionUpdateSchema,
  messageSchema,
  reactionEmojiSchema,
  reactionSummarySchema,
  reactionUsersGroupSchema,
  serverSchema,
  uploadSessionSchema,
  voiceIngressSchema,
  voiceJoinSchema,
  voiceParticipantSchema,
  voiceStateSchema,
  type Endpoint,
} from '../src/protocol.js';
import { syncCommandItemSchema } from '../src/protocol/commands.js';

/** The shapes of responses by the names of their types. */
const SHAPES: Readonly<Record<string, z.ZodType>> = {
  BotMe: botMeSchema,
  Server: serverSchema,
  Channel: channelSchema,
  CustomEmoji: customEmojiSchema,
  Message: messageSchema,
  MessageAttachment: messageAttachmentSchema,
  MessageAttachmentDraft: messageAttachmentDraftSchema,
  MessagePage: messagePageSchema,
  MessageContext: messageContextSchema,
  ReactionEmoji: reactionEmojiSchema,
  ReactionSummary: reactionSummarySchema,
  ReactionUsersGroup: reactionUsersGroupSchema,
  MessageReactionUpdate: messageReactionUpdateSchema,
  MessageReactionDetails: messageReactionDetailsSchema,
  AttachmentAccessUrl: attachmentAccessUrlSchema,
  UploadSession: uploadSessionSchema,
  VoiceParticipant: voiceParticipantSchema,
  VoiceJoin: voiceJoinSchema,
  VoiceIngress: voiceIngressSchema,
  VoiceState: voiceStateSchema,
  Command: commandSchema,
  CommandOption: commandOptionSchema,
  SyncCommandItem: syncCommandItemSchema,
};

/** The keys of a JSON schema that this module reads. */
interface Json {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly items?: Json;
  readonly anyOf?: readonly Json[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly assumed?: string;
}

/** Requests are shown in their written form, responses in their parsed form. */
type Side = 'input' | 'output';

const jsonOf = (schema: z.ZodType, io: Side = 'output'): Json =>
  // `Json` has the keys that these schemas use.
  z.toJSONSchema(schema, { unrepresentable: 'any', io }) as Json;

const textOf = (json: Json): string =>
  JSON.stringify({ ...json, $schema: undefined, assumed: undefined });

const named = Object.entries(SHAPES).flatMap(([name, schema]) =>
  (['input', 'output'] as const).map((io) => [name, textOf(jsonOf(schema, io))]),
);

const nameOf = (json: Json): string | undefined => {
  const text = textOf(json);
  return named.find(([, known]) => known === text)?.[0];
};

const link = (name: string): string => `[${name}](#${name.toLowerCase()})`;

/** Returns a type in the form for a reader. */
function typeOf(json: Json): string {
  const name = nameOf(json);
  if (name !== undefined) return link(name);
  if (json.anyOf) {
    return [...new Set(json.anyOf.map(typeOf))].join(' or ');
  }
  if (json.enum) return json.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (json.type === 'array') {
    const item = typeOf(json.items ?? {});
    return item === 'any' ? 'list' : `list of ${item}`;
  }
  if (json.type === 'string') {
    const format = { uuid: 'id', 'date-time': 'date-time' }[json.format ?? ''] ?? 'string';
    return json.maxLength === undefined || format !== 'string'
      ? format
      : `string, ${json.minLength ?? 0} to ${json.maxLength}`;
  }
  if (json.properties) return `{ ${Object.keys(json.properties).join(', ')} }`;
  return [json.type ?? 'any'].flat().join(' or ');
}

const isAssumed = (json: Json): boolean =>
  json.assumed !== undefined || (json.anyOf ?? []).some(isAssumed);

function rowsOf(json: Json, isAllAssumed: boolean): string[] {
  const isRequired = (field: string): boolean => json.required?.includes(field) ?? false;
  return Object.entries(json.properties ?? {}).map(([field, value]) => {
    const parts = [typeOf(value)];
    if (value.default !== undefined) parts.push(`default ${JSON.stringify(value.default)}`);
    else if (!isRequired(field)) parts.push('optional');
    const items = value.items !== undefined && isAssumed(value.items);
    const mark = isAllAssumed || isAssumed(value) ? 'assumed' : 'stated';
    return `| \`${field}\` | ${parts.join(', ')} | ${items ? 'stated; its items are assumed' : mark} |`;
  });
}

const fieldsOf = (json: Json): string[] => [
  '',
  '| field | type | mark |',
  '| --- | --- | --- |',
  ...rowsOf(json, isAssumed(json)),
];

function responseOf({ response, name }: Endpoint): string {
  if (response === null) return 'no body';
  const isNotShown = 'notShown' in response;
  const json = jsonOf(isNotShown ? response.likely : response);
  const type =
    name === 'commands.list' ? `list of ${link('Command')}` : typeOf(json).replaceAll('|', '');
  return isNotShown ? `${type} (assumed)` : type;
}

const RETRIES: Readonly<Record<Endpoint['retry'], string>> = {
  safe: 'yes',
  repeatable: 'yes',
  once: 'no',
  settle: 'settled',
};

/** Returns the page. */
export function endpointsPage(): string {
  const endpoints = Object.values(ENDPOINTS);
  const rows = endpoints.map((endpoint) => {
    const { number, name, method, api, path, anyPermission = [], author, retry } = endpoint;
    const needs = [
      anyPermission.join(' or '),
      author === 'required' ? 'to be the author' : '',
      author === 'instead-of-permission' ? 'for messages by others' : '',
    ];
    const request = `${method} ${api === 'bot' ? '' : API_PREFIX[api]}${path}`;
    return `| ${number ?? ''} | \`${name}\` | \`${request}\` | ${needs.filter(Boolean).join(' ')} | ${responseOf(endpoint)} | ${RETRIES[retry]} |`;
  });
  // Endpoints with the same fields share a table.
  const inputs = new Map<string, string[]>();
  for (const { name, query, body } of endpoints) {
    for (const schema of [query, body]) {
      if (!schema) continue;
      const fields = fieldsOf(jsonOf(schema, 'input')).join('\n');
      inputs.set(fields, [...(inputs.get(fields) ?? []), name]);
    }
  }
  const requests = [...inputs].flatMap(([fields, names]) => [
    '',
    `### ${names.join(', ')}`,
    ...fields.split('\n'),
  ]);
  const shapes = Object.entries(SHAPES).flatMap(([name, schema]) => [
    '',
    `### ${name}`,
    ...fieldsOf(jsonOf(schema)),
  ]);
  return [
    '---',
    'pageClass: wide',
    'aside: false',
    '---',
    '',
    '# Endpoints',
    '',
    'This page lists the 31 endpoints of the Bot Interface, and the endpoint that users call to run a command. In a handler, call them',
    'through `rest` by these names: `rest.messages.send(channelId, { content })`. This page is generated from the table that the',
    'client and the simulator use.',
    '',
    '- **stated**: the Bot Interface specifies this part.',
    '- **assumed**: the Bot Interface does not specify this part. The client passes other formats through unchanged. If a whole response is',
    '  assumed and has another format, it is `undefined`. The [profile](../guide/simulator.md#assumptions) lists assumed behavior.',
    '',
    `An \`id\` is a UUID as a string. Unknown fields are passed through. Paths are relative to \`{base_url}${API_PREFIX.bot}\`, except for`,
    'the user endpoint, whose path is relative to `{base_url}`.',
    '',
    '| # | name | request | requires | response | retried |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    '_Retried_ says what the client does when it cannot know whether a request took effect, such as after a lost connection. _Settled_',
    'means that the client finds out through another endpoint. A request that was certainly not processed is always retried (see',
    '[reliability](../reliability.md)).',
    '',
    '## Requests',
    '',
    'The tables list the query parameters of GET requests and the body fields of all other requests. Text has 1 to 2,000 characters.',
    ...requests,
    '',
    '## Shapes',
    ...shapes,
    '',
  ].join('\n');
}
