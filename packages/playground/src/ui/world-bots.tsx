import type { SimServer } from '@virgule/core/simulator-api';
import { useApp } from './app-context.js';
import { CopyButton } from './copy-button.js';
import { Add, Check, Confirm, withId } from './world-parts.js';

/** Returns what a bot needs to connect here, as the lines of its `.env`. */
function environmentOf(token: string): string {
  const { origin } = location;
  return `BOT_TOKEN=${token}\nBOT_BASE_URL=${origin}\nBOT_GATEWAY_URL=${origin.replace('http', 'ws')}\n`;
}

/** The bots of the world: adds and deletes them, installs them in the open server, and copies what they need to connect. */
export function Bots({ server }: { readonly server: SimServer }) {
  const { store, inspector } = useApp();
  return (
    <section class="task" aria-label="Bots">
      <h3>Bots</h3>
      <ul>
        {store.world.value.bots.map(
          ({ botUserId, displayName, username, connected, token }, at) => (
            <li key={botUserId} class="fault">
              <strong>
                <bdi>{displayName}</bdi>
              </strong>{' '}
              <span class="fault-note">
                @{username}, {connected ? 'connected' : 'not connected'}
              </span>
              <div class="world-checks">
                <Check
                  label="Installed"
                  of={username}
                  isOn={server.botIds.includes(botUserId)}
                  onChange={(isOn) =>
                    inspector.send('server', {
                      id: server.id,
                      botIds: withId(server.botIds, botUserId, isOn),
                    })
                  }
                />
                <CopyButton label="Copy token" name={`of ${username}`} text={() => token} />
                <CopyButton
                  label="Copy .env"
                  name={`of ${username}`}
                  text={() => environmentOf(token)}
                />
                {at > 0 && (
                  <Confirm
                    label="Delete"
                    of={username}
                    onConfirm={() => inspector.send('bot', { id: botUserId, remove: true })}
                  />
                )}
              </div>
            </li>
          ),
        )}
      </ul>
      <Add label="Name of another bot" onAdd={(username) => inspector.send('bot', { username })} />
    </section>
  );
}
