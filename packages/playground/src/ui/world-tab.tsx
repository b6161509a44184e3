import { useSignal } from '@preact/signals';
import type { SimChannel, SimRole, SimServer, SimUser } from '@virgule/core/simulator-api';
import { isOwnBot } from '../state/bots.js';
import { channelsOf, isMember } from '../state/place.js';
import { inspector, store } from '../app/page.js';
import { CopyButton } from './copy-button.js';
import { StateSection } from './state-tree.js';
import { Section, TextInput } from './controls.js';
import { Add, Check, Delete, Item, Listed } from './world-parts.js';
import { ClockSection, PastSection, SnapshotsSection } from './world-time.js';

/** Maximum number of users in the list; a search shows the other users. */
const MAX_USERS = 50;

const PERMISSIONS = [
  { name: 'ManageMessages', label: 'Manage messages' },
  { name: 'ManageReactions', label: 'Manage reactions' },
] as const;

/** Returns the lines of a `.env` with which a bot connects to this simulator. */
function environmentOf(token: string): string {
  const { origin } = location;
  return `BOT_TOKEN=${token}\nBOT_BASE_URL=${origin}\nBOT_GATEWAY_URL=${origin.replace('http', 'ws')}\n`;
}

/**
 * The bots of the world: adds and deletes bots, installs them in the open server, and copies their token and `.env`.
 */
function Bots({ server }: { readonly server: SimServer }) {
  const { id, botIds } = server;
  return (
    <Section title="Bots">
      <ul>
        {store.world.value.bots.map(
          ({ botUserId, displayName, username, connected, token }, at) => (
            <Item
              key={botUserId}
              name={displayName}
              note={`@${username}, ${connected ? 'connected' : 'not connected'}`}
            >
              <Listed
                label="Installed"
                of={username}
                id={botUserId}
                ids={botIds}
                onChange={(ids) => inspector.send('server', { id, botIds: ids })}
              />
              <CopyButton label="Copy token" name={`of ${username}`} text={() => token} />
              <CopyButton
                label="Copy .env"
                name={`of ${username}`}
                text={() => environmentOf(token)}
              />
              {at > 0 && <Delete kind="bot" id={botUserId} of={username} />}
            </Item>
          ),
        )}
      </ul>
      <Add label="Name of another bot" onAdd={(username) => inspector.send('bot', { username })} />
    </Section>
  );
}

function Channel({ channel, isText }: { readonly channel: SimChannel; readonly isText: boolean }) {
  const { id, name, visibleToBot, botPermissions } = channel;
  return (
    <Item name={name}>
      <Check
        label="Bot sees it"
        of={name}
        isOn={visibleToBot}
        onChange={(isOn) => inspector.send('channel', { id, visibleToBot: isOn })}
      />
      {(isText ? PERMISSIONS : []).map((permission) => (
        <Listed
          key={permission.name}
          label={permission.label}
          of={name}
          id={permission.name}
          ids={botPermissions}
          onChange={(names) => inspector.send('channel', { id, botPermissions: names })}
        />
      ))}
      <Delete kind="channel" id={id} of={name} />
    </Item>
  );
}

function Channels({ server }: { readonly server: SimServer }) {
  const kind = useSignal('text');
  const { text, voice } = channelsOf(store.world.value, server.id);
  return (
    <Section title="Channels">
      <ul>
        {[...text, ...voice].map((channel) => (
          <Channel key={channel.id} channel={channel} isText={text.includes(channel)} />
        ))}
      </ul>
      <Add
        label="Name of a channel"
        onAdd={(name) =>
          inspector.send('channel', { serverId: server.id, name, kind: kind.peek() })
        }
      >
        <select
          class="task-kind"
          aria-label="Kind of the channel"
          value={kind.value}
          onChange={(event) => (kind.value = event.currentTarget.value)}
        >
          <option value="text">Text</option>
          <option value="voice">Voice</option>
        </select>
      </Add>
    </Section>
  );
}

interface MemberProps {
  readonly server: SimServer;
  readonly user: SimUser;
  readonly roles: readonly SimRole[];
}

function Member({ server, user, roles }: MemberProps) {
  const { id, displayName, username } = user;
  return (
    <Item name={displayName} note={`@${username}`}>
      <Listed
        label="Member"
        of={username}
        id={id}
        ids={server.memberIds}
        isOn={isMember(server, id)}
        onChange={(memberIds) => inspector.send('server', { id: server.id, memberIds })}
      />
      {roles.map((role) => (
        <Listed
          key={role.id}
          label={role.name}
          of={`role of ${username}`}
          id={id}
          ids={role.memberIds}
          onChange={(memberIds) => inspector.send('role', { id: role.id, memberIds })}
        />
      ))}
      <Delete kind="user" id={id} of={username} />
    </Item>
  );
}

function Users({ server }: { readonly server: SimServer }) {
  const query = useSignal('');
  const wanted = query.value.trim().toLowerCase();
  const users = store.world.value.users.filter(({ id, username, displayName }) => {
    const isFound = [username, displayName].some((name) => name.toLowerCase().includes(wanted));
    return !isOwnBot(store.world.value, id) && isFound;
  });
  const roles = store.world.value.roles.filter(({ serverId }) => serverId === server.id);
  return (
    <Section title="Users">
      <TextInput
        type="search"
        class="world-search"
        aria-label="Find a user"
        placeholder="Find a user"
        text={query}
      />
      <ul>
        {users.slice(0, MAX_USERS).map((user) => (
          <Member key={user.id} server={server} user={user} roles={roles} />
        ))}
      </ul>
      {users.length > MAX_USERS && (
        <p class="fault-note">
          {MAX_USERS} of {users.length} users. Search for others.
        </p>
      )}
      <Add
        label="Username"
        onAdd={(username) => inspector.send('user', { username, serverIds: [server.id] })}
      />
      {roles.length > 0 && (
        <div class="world-checks">
          {roles.map(({ id, name }) => (
            <Delete key={id} kind="role" id={id} label={`Delete ${name}`} of="role" />
          ))}
        </div>
      )}
      <Add
        label="Name of a role"
        onAdd={(name) => inspector.send('role', { serverId: server.id, name })}
      />
    </Section>
  );
}

/** Changes the time, the open server, its bots, channels, users and roles, and shows the whole world. */
export function WorldTab() {
  const { server } = store.place.value;
  if (server === null) return null;
  return (
    <>
      {store.past.value === null && (
        <>
          <ClockSection />
          <PastSection />
          <SnapshotsSection />
        </>
      )}
      <section class="task" aria-label="Server">
        <h3>
          <bdi>{server.name}</bdi>
        </h3>
        <div class="fault-buttons">
          <Delete kind="server" id={server.id} label="Delete server" of={server.name} />
        </div>
        <Add label="Name of another server" onAdd={(name) => inspector.send('server', { name })} />
      </section>
      <Bots server={server} />
      <Channels server={server} />
      <Users server={server} />
      <StateSection />
    </>
  );
}
