import { useSignal } from '@preact/signals';
import type { SimServer } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import { isOwnBot } from '../state/bots.js';
import { channelsOf } from '../state/place.js';
import { inspector, store } from '../app/page.js';
import { Confirm, Item, SearchField, Section } from './controls.js';
import { Form } from './form.js';
import { Add, Items, listed, remove, type ItemRow } from './world-parts.js';
import { ClockSection, HistorySection, SnapshotsSection } from './world-time.js';

/** Maximum number of users in the list; a search shows the other users. */
const MAX_USERS = 50;

/** Labels of the permissions of the bot in a text channel. */
const PERMISSIONS = { ManageMessages: 'Manage messages', ManageReactions: 'Manage reactions' };

const KIND = {
  name: 'kind',
  label: 'Kind of the channel',
  initial: 'text',
  names: { text: 'Text', voice: 'Voice' },
};

function environmentOf(token: string): string {
  const { origin } = location;
  return `BOT_TOKEN=${token}\nBOT_BASE_URL=${origin}\nBOT_GATEWAY_URL=${origin.replace('http', 'ws')}\n`;
}

/** Returns the bots of the world. A check installs a bot in the server. */
function botRows({ id: serverId, botIds }: SimServer): readonly ItemRow[] {
  return store.world.value.bots.map((bot, at) => ({
    id: bot.botUserId,
    name: bot.displayName,
    note: `@${bot.username}, ${bot.connected ? 'connected' : 'not connected'}`,
    of: bot.username,
    checks: [listed('Installed', bot.botUserId, botIds, ['server', serverId, 'botIds'])],
    copies: { 'Copy token': bot.token, 'Copy .env': environmentOf(bot.token) },
    ...(at > 0 && { removedBy: 'bot' }),
  }));
}

function channelRows({ id: serverId }: SimServer): readonly ItemRow[] {
  const { text, voice } = channelsOf(store.world.value, serverId);
  return [...text, ...voice].map((channel) => {
    const { id, name, visibleToBot, botPermissions } = channel;
    const change = ['channel', { id, visibleToBot: !visibleToBot }] as const;
    const permissions = Object.entries(text.includes(channel) ? PERMISSIONS : {});
    return {
      id,
      name,
      of: name,
      checks: [
        { label: 'Bot sees it', isOn: visibleToBot, change },
        ...permissions.map(([permission, label]) =>
          listed(label, permission, botPermissions, ['channel', id, 'botPermissions']),
        ),
      ],
      removedBy: 'channel',
    };
  });
}

/** Returns the users whose name contains a text, with checks for the server and its roles. */
function userRows({ id: serverId, memberIds }: SimServer, wanted: string): readonly ItemRow[] {
  const { users, roles } = store.world.value;
  const here = roles.filter((role) => role.serverId === serverId);
  return users
    .filter(({ id, username, displayName }) => {
      const isFound = [username, displayName].some((name) => name.toLowerCase().includes(wanted));
      return !isOwnBot(store.world.value, id) && isFound;
    })
    .map(({ id, username, displayName }) => ({
      id,
      name: displayName,
      note: `@${username}`,
      of: username,
      checks: [
        listed('Member', id, memberIds, ['server', serverId, 'memberIds']),
        ...here.map((role) => ({
          ...listed(role.name, id, role.memberIds, ['role', role.id, 'memberIds']),
          of: `role of ${username}`,
        })),
      ],
      removedBy: 'user',
    }));
}

function Users({ server }: { readonly server: SimServer }) {
  const query = useSignal('');
  const rows = userRows(server, query.value.trim().toLowerCase());
  const roles = store.world.value.roles.filter(({ serverId }) => serverId === server.id);
  return (
    <Section title="Users">
      <SearchField label="Find a user" text={query} />
      <Items rows={rows.slice(0, MAX_USERS)} />
      {rows.length > MAX_USERS && (
        <p class="note">
          {MAX_USERS} of {rows.length} users. Search for others.
        </p>
      )}
      <Add label="Username" field="username" change={['user', { serverIds: [server.id] }]} />
      {roles.length > 0 && (
        <div class="flow">
          {roles.map(({ id, name }) => (
            <Confirm
              key={id}
              label={`Delete ${name}`}
              of="role"
              onConfirm={() => remove(name, 'role', id)}
            />
          ))}
        </div>
      )}
      <Add label="Name of a role" change={['role', { serverId: server.id }]} />
    </Section>
  );
}

/** Shows the actions that delete much, with what they delete. */
function DangerZone({ server: { id, name } }: { readonly server: SimServer }) {
  const { servers, channels, users } = store.world.value;
  const own = channels.filter(({ serverId }) => serverId === id);
  const all = `${countOf(servers.length, 'server')}, ${countOf(users.length, 'user')}`;
  const isOwn = `${countOf(own.length, 'channel')}. Type its name to confirm.`;
  return (
    <Section title="Danger zone" class="section danger" note="Undo for 10 s">
      <ul class="items">
        <Item name="Reset the world" note={`${all}, all messages. The storage of the bot stays.`}>
          <Confirm
            label="Reset"
            onConfirm={() =>
              inspector.remove({ what: 'Reset the world', name: 'reset', input: {} })
            }
          />
        </Item>
        <Item name={`Delete server ${name}`} note={isOwn}>
          <Form
            isRow
            fields={[{ name: 'name', label: 'Name of the server', only: name }]}
            submit="Delete…"
            name="Delete the server"
            onSubmit={() => remove(name, 'server', id)}
          />
        </Item>
      </ul>
    </Section>
  );
}

/** Changes the time, the open server, its bots, channels, users and roles. */
export function WorldTab() {
  const { server } = store.place.value;
  if (server === null) return null;
  const { id, name } = server;
  return (
    <>
      {store.past.value === null && (
        <>
          <ClockSection />
          <HistorySection />
          <SnapshotsSection />
        </>
      )}
      <Section title={`Bots in ${name}`} name="Bots">
        <Items rows={botRows(server)} />
        <Add label="Name of another bot" field="username" change={['bot', {}]} />
        <Add label="Name of another server" change={['server', {}]} />
      </Section>
      <Section title={`Channels of ${name}`} name="Channels">
        <Items rows={channelRows(server)} />
        <Add label="Name of a channel" others={[KIND]} change={['channel', { serverId: id }]} />
      </Section>
      <Users server={server} />
      <DangerZone server={server} />
    </>
  );
}
