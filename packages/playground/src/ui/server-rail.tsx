import type { SimServer } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import { monogram } from '../state/avatar.js';
import { navigation, store } from '../app/page.js';

function ServerButton({ server }: { readonly server: SimServer }) {
  const isCurrent = store.place.value.server?.id === server.id;
  const counts = store.unread.value;
  const unread = store.world.value.channels
    .filter((channel) => channel.serverId === server.id)
    .reduce((sum, channel) => sum + (counts.get(channel.id)?.count ?? 0), 0);
  const hasBot = server.botIds.length > 0;
  const notes = [unread > 0 && countOf(unread, 'new message'), !hasBot && 'bot not installed'];
  const name = [server.name, ...notes].filter(Boolean).join(', ');
  return (
    <li class="rail-item" data-current={isCurrent}>
      <button
        type="button"
        class={hasBot ? 'server' : 'server server-without-bot'}
        title={name}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => navigation.openChannel(server.id, null)}
      >
        <span aria-hidden="true">{monogram(server.name)}</span>
        <span class="visually-hidden">{name}</span>
      </button>
      {unread > 0 && !isCurrent && <span class="unread-dot" aria-hidden="true" />}
    </li>
  );
}

export function ServerRail() {
  const { servers } = store.world.value;
  return (
    <nav class="rail" aria-label="Servers" data-region="servers">
      <ul>
        {servers.map((server) => (
          <ServerButton key={server.id} server={server} />
        ))}
      </ul>
    </nav>
  );
}
