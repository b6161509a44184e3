import { useSignal } from '@preact/signals';
import type { SimChannel, SimRole, SimServer, SimUser } from '@virgule/core/simulator-api';
import { isOwnBot } from '../state/bots.js';
import { channelsOf, isMember } from '../state/place.js';
import { useApp } from './app-context.js';
import { StateSection } from './state-tree.js';
import { Bots } from './world-bots.js';
import { Add, Check, Confirm, withId } from './world-parts.js';
import { ClockSection, PastSection, SnapshotsSection } from './world-time.js';

/** Maximum number of users in the list; a search shows others. */
const MAX_USERS = 50;

const PERMISSIONS = [
  { name: 'ManageMessages', label: 'Manage messages' },
  { name: 'ManageReactions', label: 'Manage reactions' },
] as const;

function Channel({ channel, isText }: { readonly channel: SimChannel; readonly isText: boolean }) {
  const { inspector } = useApp();
  const { id, name, visibleToBot, botPermissions } = channel;
  const change = (body: object) => inspector.send('channel', { id, ...body });
  return (
    <li class="fault">
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <div class="world-checks">
        <Check
          label="Bot sees it"
          of={name}
          isOn={visibleToBot}
          onChange={(isOn) => change({ visibleToBot: isOn })}
        />
        {(isText ? PERMISSIONS : []).map((permission) => (
          <Check
            key={permission.name}
            label={permission.label}
            of={name}
            isOn={botPermissions.includes(permission.name)}
            onChange={(isOn) => {
              const others = botPermissions.filter((each) => each !== permission.name);
              change({ botPermissions: isOn ? [...others, permission.name] : others });
            }}
          />
        ))}
        <Confirm
          label="Delete"
          of={name}
          onConfirm={() => inspector.send('channel', { id, remove: true })}
        />
      </div>
    </li>
  );
}

function Channels({ server }: { readonly server: SimServer }) {
  const { store, inspector } = useApp();
  const kind = useSignal('text');
  const { text, voice } = channelsOf(store.world.value, server.id);
  return (
    <section class="task" aria-label="Channels">
      <h3>Channels</h3>
      <ul>
        {text.map((channel) => (
          <Channel key={channel.id} channel={channel} isText />
        ))}
        {voice.map((channel) => (
          <Channel key={channel.id} channel={channel} isText={false} />
        ))}
      </ul>
      <Add
        label="Name of a channel"
        onAdd={(name) =>
          inspector.send('channel', {
            serverId: server.id,
            name,
            kind: kind.peek(),
          })
        }
      >
        <select
          class="task-kind"
          aria-label="Kind of the channel"
          value={kind.value}
          onChange={(event) => {
            kind.value = event.currentTarget.value;
          }}
        >
          <option value="text">Text</option>
          <option value="voice">Voice</option>
        </select>
      </Add>
    </section>
  );
}

interface MemberProps {
  readonly server: SimServer;
  readonly user: SimUser;
  readonly roles: readonly SimRole[];
}

function Member({ server, user, roles }: MemberProps) {
  const { inspector } = useApp();
  const { id, displayName, username } = user;
  return (
    <li class="fault">
      <strong>
        <bdi>{displayName}</bdi>
      </strong>{' '}
      <span class="fault-note">@{username}</span>
      <div class="world-checks">
        <Check
          label="Member"
          of={username}
          isOn={isMember(server, id)}
          onChange={(isOn) =>
            inspector.send('server', {
              id: server.id,
              memberIds: withId(server.memberIds, id, isOn),
            })
          }
        />
        {roles.map((role) => (
          <Check
            key={role.id}
            label={role.name}
            of={`role of ${username}`}
            isOn={role.memberIds.includes(id)}
            onChange={(isOn) =>
              inspector.send('role', { id: role.id, memberIds: withId(role.memberIds, id, isOn) })
            }
          />
        ))}
        <Confirm
          label="Delete"
          of={username}
          onConfirm={() => inspector.send('user', { id, remove: true })}
        />
      </div>
    </li>
  );
}

function Users({ server }: { readonly server: SimServer }) {
  const { store, inspector } = useApp();
  const query = useSignal('');
  const wanted = query.value.trim().toLowerCase();
  const users = store.world.value.users.filter(({ id, username, displayName }) => {
    const isFound = [username, displayName].some((name) => name.toLowerCase().includes(wanted));
    return !isOwnBot(store.world.value, id) && isFound;
  });
  const roles = store.world.value.roles.filter(({ serverId }) => serverId === server.id);
  return (
    <section class="task" aria-label="Users">
      <h3>Users</h3>
      <input
        type="search"
        class="world-search"
        aria-label="Find a user"
        placeholder="Find a user"
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
        }}
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
          {roles.map((role) => (
            <Confirm
              key={role.id}
              label={`Delete ${role.name}`}
              of="role"
              onConfirm={() => inspector.send('role', { id: role.id, remove: true })}
            />
          ))}
        </div>
      )}
      <Add
        label="Name of a role"
        onAdd={(name) => inspector.send('role', { serverId: server.id, name })}
      />
    </section>
  );
}

/** Changes the time, the open server, its bots, channels, users and roles, and shows all of it. */
export function WorldTab() {
  const { store, inspector } = useApp();
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
          <Confirm
            label="Delete server"
            of={server.name}
            onConfirm={() => inspector.send('server', { id: server.id, remove: true })}
          />
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
