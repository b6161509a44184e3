// `/_sim/bots`, `/_sim/users`, `/_sim/servers`, `/_sim/channels` and `/_sim/roles`: adds with POST, changes with PATCH, deletes with DELETE.
import { idSchema } from '@virgule/core/protocol';
import * as z from 'zod';
import { emptyAnswer, jsonAnswer, type Answer } from '../server/exchange.js';
import { validateBody } from '../server/validate.js';
import { addBot, simBot, USERNAME, USERNAME_RULE } from '../world/bots.js';
import {
  addChannel,
  addRole,
  addServer,
  addUser,
  editChannel,
  editRole,
  editServer,
  editUser,
} from '../world/edit-places.js';
import {
  removeBot,
  removeChannel,
  removeRole,
  removeServer,
  removeUser,
} from '../world/remove-places.js';
import type { World } from '../world/world.js';

const name = z.string().trim().min(1).max(100);
/** More than the users that a simulator can start with, and the bot. */
const ids = z.array(idSchema).max(1_500);
const topic = z.string().max(1_000).nullable();

const username = z.string().regex(USERNAME, USERNAME_RULE);
const botSchema = z.strictObject({ username, displayName: name.optional() });
const userEditSchema = z.strictObject({
  displayName: name.optional(),
  role: z.string().max(100).optional(),
});
const userSchema = z.strictObject({
  username,
  displayName: name.optional(),
  role: z.string().max(100).default(''),
  serverIds: ids.optional(),
});
const serverEditSchema = z.strictObject({
  name: name.optional(),
  botIds: ids.optional(),
  memberIds: ids.optional(),
});
const serverSchema = z.strictObject({ name, botIds: ids.optional() });
const channelEditSchema = z.strictObject({
  name: name.optional(),
  topic: topic.optional(),
  visibleToBot: z.boolean().optional(),
  botPermissions: z.array(z.enum(['ManageMessages', 'ManageReactions'])).optional(),
});
const channelSchema = z.strictObject({
  serverId: idSchema,
  name,
  kind: z.enum(['text', 'voice']).default('text'),
  topic: topic.default(null),
});
const roleEditSchema = z.strictObject({ name: name.optional(), memberIds: ids.optional() });
const roleSchema = z.strictObject({ serverId: idSchema, name, memberIds: ids.default([]) });

interface PlaceCall {
  readonly world: World;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The keys of a change that were not omitted. */
type Given<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

/** Returns a change without the keys that were omitted. */
function given<Values extends object>(values: Values): Given<Values> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<Values>;
}

/** Returns the handler of a DELETE. */
const removing =
  (remove: (world: World, id: string) => void, parameter: string) =>
  ({ world, parameters }: PlaceCall): Answer => {
    remove(world, parameters[parameter] ?? '');
    return emptyAnswer();
  };

/** The handlers by method and path. */
export const PLACE_ROUTES: readonly (readonly [
  method: string,
  path: string,
  handle: (call: PlaceCall) => Answer,
])[] = [
  [
    'POST',
    '/_sim/users',
    ({ world, body }) => {
      const { serverIds, ...user } = validateBody(userSchema, body, world.profile);
      const first = [...world.state.servers.keys()].slice(0, 1);
      const named = { ...user, displayName: user.displayName ?? user.username };
      return jsonAnswer(200, addUser(world, named, serverIds ?? first));
    },
  ],
  [
    'PATCH',
    '/_sim/users/{userId}',
    ({ world, parameters, body }) => {
      const values = given(validateBody(userEditSchema, body, world.profile));
      return jsonAnswer(200, editUser(world, parameters['userId'] ?? '', values));
    },
  ],
  [
    'POST',
    '/_sim/bots',
    ({ world, body }) =>
      jsonAnswer(200, simBot(addBot(world, validateBody(botSchema, body, world.profile)))),
  ],
  [
    'POST',
    '/_sim/servers',
    ({ world, body }) =>
      jsonAnswer(200, addServer(world, validateBody(serverSchema, body, world.profile))),
  ],
  [
    'PATCH',
    '/_sim/servers/{serverId}',
    ({ world, parameters, body }) => {
      const values = given(validateBody(serverEditSchema, body, world.profile));
      return jsonAnswer(200, editServer(world, parameters['serverId'] ?? '', values));
    },
  ],
  [
    'POST',
    '/_sim/channels',
    ({ world, body }) =>
      jsonAnswer(200, addChannel(world, validateBody(channelSchema, body, world.profile))),
  ],
  [
    'PATCH',
    '/_sim/channels/{channelId}',
    ({ world, parameters, body }) => {
      const values = given(validateBody(channelEditSchema, body, world.profile));
      return jsonAnswer(200, editChannel(world, parameters['channelId'] ?? '', values));
    },
  ],
  [
    'POST',
    '/_sim/roles',
    ({ world, body }) =>
      jsonAnswer(200, addRole(world, validateBody(roleSchema, body, world.profile))),
  ],
  [
    'PATCH',
    '/_sim/roles/{roleId}',
    ({ world, parameters, body }) => {
      const values = given(validateBody(roleEditSchema, body, world.profile));
      return jsonAnswer(200, editRole(world, parameters['roleId'] ?? '', values));
    },
  ],
  ['DELETE', '/_sim/bots/{botUserId}', removing(removeBot, 'botUserId')],
  ['DELETE', '/_sim/users/{userId}', removing(removeUser, 'userId')],
  ['DELETE', '/_sim/servers/{serverId}', removing(removeServer, 'serverId')],
  ['DELETE', '/_sim/channels/{channelId}', removing(removeChannel, 'channelId')],
  ['DELETE', '/_sim/roles/{roleId}', removing(removeRole, 'roleId')],
];
