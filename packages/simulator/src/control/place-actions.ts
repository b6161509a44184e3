// The actions that add, change and delete users, bots, servers, channels and roles.
import { idSchema } from '@virgule/core/protocol';
import * as z from 'zod';
import { readField, validateBody } from '../server/validate.js';
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
import { invalid } from '../world/refusal.js';
import type { World } from '../world/world.js';
import { action, type SimAction } from './action.js';

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
  role: z.string().max(100).optional(),
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
  kind: z.enum(['text', 'voice']).optional(),
  topic: topic.optional(),
});
const roleEditSchema = z.strictObject({ name: name.optional(), memberIds: ids.optional() });
const roleSchema = z.strictObject({ serverId: idSchema, name, memberIds: ids.optional() });

/** The keys of a change that were not omitted. */
type Given<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

/** Returns a change without the keys that were omitted. */
function given<Values extends object>(values: Values): Given<Values> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<Values>;
}

const ID = idSchema.optional().describe('Changes the one with this id, instead of adding one');
const REMOVE = z.boolean().default(false).describe('Delete the one with this id');

interface PlaceKind<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly about: string;
  /** All inputs; which of them are required or allowed depends on whether one is added or changed. */
  readonly input: Shape;
  readonly add: (world: World, values: object) => object;
  readonly change?: (world: World, id: string, values: object) => object;
  readonly remove: (world: World, id: string) => void;
}

/** Returns the action that adds, changes and deletes one kind of place. */
function placeAction<Shape extends z.ZodRawShape>(kind: PlaceKind<Shape>): SimAction {
  const input = { ...kind.input, id: ID, remove: REMOVE };
  return action({
    name: kind.name,
    about: kind.about,
    input,
    act(all, { world }) {
      // The keys that are added here.
      const { id, remove, ...values } = all as { readonly id?: string; readonly remove: boolean };
      if (remove) {
        kind.remove(world, readField({ id }, 'id', idSchema, world.profile));
        return {};
      }
      if (id === undefined) return kind.add(world, values);
      if (kind.change !== undefined) return kind.change(world, id, values);
      throw invalid(world.profile, 'id', `A ${kind.name} cannot be changed.`);
    },
  });
}

const changes =
  <Schema extends z.ZodObject>(
    schema: Schema,
    change: (world: World, id: string, values: Given<Schema['_output']>) => object,
  ) =>
  (world: World, id: string, values: object): object =>
    change(world, id, given(validateBody(schema, values, world.profile)));

/** The users, bots, servers, channels and roles of the world. */
export const PLACE_ACTIONS: readonly SimAction[] = [
  placeAction({
    name: 'user',
    about: 'Adds, changes or deletes a user',
    input: userSchema.extend(userEditSchema.shape).partial().shape,
    add(world, values) {
      const user = validateBody(userSchema, values, world.profile);
      const { username, displayName = username, role = '' } = user;
      const { serverIds = [...world.state.servers.keys()].slice(0, 1) } = user;
      return addUser(world, { username, displayName, role }, serverIds);
    },
    change: changes(userEditSchema, editUser),
    remove: removeUser,
  }),
  placeAction({
    name: 'bot',
    about: 'Adds or deletes a bot, which has a token of its own',
    input: botSchema.partial().shape,
    add: (world, values) => simBot(addBot(world, validateBody(botSchema, values, world.profile))),
    remove: removeBot,
  }),
  placeAction({
    name: 'server',
    about: 'Adds, changes or deletes a server',
    input: serverEditSchema.shape,
    add: (world, values) => addServer(world, validateBody(serverSchema, values, world.profile)),
    change: changes(serverEditSchema, editServer),
    remove: removeServer,
  }),
  placeAction({
    name: 'channel',
    about: 'Adds, changes or deletes a channel',
    input: { ...channelSchema.partial().shape, ...channelEditSchema.shape },
    add(world, values) {
      const channel = validateBody(channelSchema, values, world.profile);
      const { kind = 'text', topic = null } = channel;
      return addChannel(world, { ...channel, kind, topic });
    },
    change: changes(channelEditSchema, editChannel),
    remove: removeChannel,
  }),
  placeAction({
    name: 'role',
    about: 'Adds, changes or deletes a role',
    input: { ...roleSchema.partial().shape, ...roleEditSchema.shape },
    add(world, values) {
      const role = validateBody(roleSchema, values, world.profile);
      return addRole(world, { ...role, memberIds: role.memberIds ?? [] });
    },
    change: changes(roleEditSchema, editRole),
    remove: removeRole,
  }),
];
