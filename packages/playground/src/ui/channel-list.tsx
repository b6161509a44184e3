import type { SimChannel } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import { channelsOf } from '../state/place.js';
import { useApp } from './app-context.js';
import { Icon } from './icon.js';
import { VoiceChannel } from './voice-channel.js';

function TextChannel({ channel }: { readonly channel: SimChannel }) {
  const { store, navigation } = useApp();
  const isCurrent = store.channelId.value === channel.id;
  const unread = isCurrent ? 0 : (store.unread.value.channels.get(channel.id)?.count ?? 0);
  return (
    <li>
      <button
        type="button"
        class={unread > 0 ? 'channel channel-unread' : 'channel'}
        aria-current={isCurrent ? 'page' : undefined}
        data-region-start={isCurrent ? '' : undefined}
        onClick={(event) => {
          navigation.openChannel(channel.serverId, channel.id);
          // A mouse click moves the focus to the composer; with the keyboard it stays in the list.
          if (event.detail > 0 && window.matchMedia('(pointer: fine)').matches) {
            document.getElementById('composer')?.focus();
          }
        }}
      >
        <Icon name="hash" />
        <span class="channel-name">{channel.name}</span>
        {!channel.visibleToBot && (
          <span class="channel-mark" title="Hidden from the bot">
            <Icon name="eye-off" />
            <span class="visually-hidden">hidden from the bot</span>
          </span>
        )}
        {unread > 0 && (
          <span class="badge">
            {unread > 99 ? '99+' : unread}
            <span class="visually-hidden"> new</span>
          </span>
        )}
      </button>
    </li>
  );
}

export function ChannelList() {
  const { store } = useApp();
  const { server } = store.place.value;
  const { text, voice } =
    server === null ? { text: [], voice: [] } : channelsOf(store.world.value, server.id);
  return (
    <nav class="channels" aria-label="Channels" data-region="channels">
      {server !== null && (
        <div class="server-name">
          <strong>{server.name}</strong>
          <span>{countOf(server.memberCount, 'member')}</span>
        </div>
      )}
      {text.length > 0 && (
        <>
          <h2 id="text-channels">Text</h2>
          <ul aria-labelledby="text-channels">
            {text.map((channel) => (
              <TextChannel key={channel.id} channel={channel} />
            ))}
          </ul>
        </>
      )}
      {voice.length > 0 && (
        <>
          <h2 id="voice-channels">Voice</h2>
          <ul aria-labelledby="voice-channels">
            {voice.map((channel) => (
              <VoiceChannel key={channel.id} channel={channel} />
            ))}
          </ul>
        </>
      )}
    </nav>
  );
}
