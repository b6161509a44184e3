// Actions that add, change and delete users, bots, servers, channels and roles.
import { idSchema } from '@virgule/core/protocol';
import * as z from 'zod';
import { validateBody } from '../server/validate.js';
import { addBot, simBot, USERNAME, USERNAME_RULE } from '../world/bots.js';
import * as places from '../world/places.js';
import { invalid } from '../world/refusal.js';
import type { World } from '../world/world.js';
import { action, EXAMPLE_ID, type SimAction } from './action.js';

const name = z.string().trim().min(1).max(100).describe('Name');
const displayName = name.optional().describe('Name that users see; by default the username');
/** List of ids. Its maximum exceeds the number of users and bots that a simulator can start with. */
const ids = z.array(idSchema).max(1_500);
const topic = z.string().max(1_000).nullable().optional().describe('Topic of the channel');
const username = z
  .string()
  .regex(USERNAME, USERNAME_RULE)
  .describe('Username: 1 to 32 letters, digits, ".", "_" or "-"');
const role = z.string().max(100).optional().describe('Role that the page shows next to the name');
const serverId = idSchema.describe('Id of the server');
const botIds = ids.optional().describe('Ids of the bots in the server');
const memberIds = ids.optional().describe('Ids of the members');

const ID = idSchema
  .optional()
  .describe('Id of the item to change or delete; by default, an item is added');
const REMOVE = z.boolean().default(false).describe('Delete the item with this id');

interface PlaceKind<Added extends z.ZodRawShape, Changed extends z.ZodRawShape> {
  readonly name: string;
  readonly about: string;
  readonly example: string;
  /** Inputs for a new place; `changed` has the inputs for an existing place. */
  readonly added: z.ZodObject<Added>;
  readonly changed?: z.ZodObject<Changed>;
  readonly add: (world: World, values: z.output<z.ZodObject<Added>>) => object;
  readonly change?: (world: World, id: string, values: z.output<z.ZodObject<Changed>>) => object;
  readonly remove: (world: World, id: string) => void;
}

/** Returns the action that adds, changes and deletes one kind of place. */
function placeAction<Added extends z.ZodRawShape, Changed extends z.ZodRawShape>(
  kind: PlaceKind<Added, Changed>,
): SimAction {
  const { name, about, example, added, changed } = kind;
  const inputs: z.ZodObject = added.extend(changed?.shape ?? {}).partial();
  return action({
    name,
    about,
    example,
    input: { ...inputs.shape, id: ID, remove: REMOVE },
    act({ id, remove, ...values }, { world }) {
      if (remove) {
        if (id === undefined) throw invalid('id', 'id is required with remove.');
        kind.remove(world, id);
        return {};
      }
      if (id === undefined) return kind.add(world, validateBody(added, values, world.profile));
      if (changed !== undefined && kind.change !== undefined)
        return kind.change(world, id, validateBody(changed, values, world.profile));
      throw invalid('id', `A ${name} cannot be changed.`);
    },
  });
}

/** The users, bots, servers, channels and roles of the world. */
export const PLACE_ACTIONS: readonly SimAction[] = [
  placeAction({
    name: 'user',
    about: 'Adds, changes or deletes a user',
    example: 'zoe --display-name Zoe',
    added: z.strictObject({
      username,
      displayName,
      role,
      serverIds: ids.optional().describe('Ids of the servers to join'),
    }),
    changed: z.strictObject({ displayName, role }),
    add: places.addUser,
    change: places.editUser,
    remove: places.removeUser,
  }),
  placeAction({
    name: 'bot',
    about: 'Adds or deletes a bot with its own token',
    example: 'music',
    added: z.strictObject({ username, displayName }),
    add: (world, bot) => simBot(addBot(world, bot)),
    remove: places.removeBot,
  }),
  placeAction({
    name: 'server',
    about: 'Adds, changes or deletes a server',
    example: 'Club',
    added: z.strictObject({ name, botIds }),
    changed: z.strictObject({ name: name.optional(), botIds, memberIds }),
    add: places.addServer,
    change: places.editServer,
    remove: places.removeServer,
  }),
  placeAction({
    name: 'channel',
    about: 'Adds, changes or deletes a channel',
    example: `${EXAMPLE_ID} lobby`,
    added: z.strictObject({
      serverId,
      name,
      kind: z.enum(['text', 'voice']).optional().describe('Kind of the channel; by default text'),
      topic,
    }),
    changed: z.strictObject({
      name: name.optional(),
      topic,
      visibleToBot: z.boolean().optional().describe('Whether bots can see the channel'),
      botPermissions: z
        .array(z.enum(['ManageMessages', 'ManageReactions']))
        .optional()
        .describe('Bot permissions: ManageMessages, ManageReactions'),
    }),
    add: places.addChannel,
    change: places.editChannel,
    remove: places.removeChannel,
  }),
  placeAction({
    name: 'role',
    about: 'Adds, changes or deletes a role',
    example: `${EXAMPLE_ID} tester`,
    added: z.strictObject({ serverId, name, memberIds }),
    changed: z.strictObject({ name: name.optional(), memberIds }),
    add: places.addRole,
    change: places.editRole,
    remove: places.removeRole,
  }),
];
