import type { SimChannel } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import { channelsOf } from '../state/place.js';
import { navigation, store } from '../app/page.js';
import { Icon } from './controls.js';
import { VoiceChannel } from './voice-channel.js';

function TextChannel({ channel }: { readonly channel: SimChannel }) {
  const isCurrent = store.channelId.value === channel.id;
  const unread = isCurrent ? 0 : (store.unread.value.get(channel.id)?.count ?? 0);
  return (
    <li>
      <button
        type="button"
        class={unread > 0 ? 'channel channel-unread' : 'channel'}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={(event) => {
          navigation.openChannel(channel.serverId, channel.id);
          // A mouse click moves the focus to the composer; a click by keyboard leaves the focus in the list.
          if (event.detail > 0 && window.matchMedia('(pointer: fine)').matches)
            document.getElementById('composer')?.focus();
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

interface GroupProps {
  readonly name: string;
  readonly channels: readonly SimChannel[];
  readonly Item: typeof TextChannel;
}

function Group({ name, channels, Item }: GroupProps) {
  const id = `${name.toLowerCase()}-channels`;
  if (channels.length === 0) return null;
  return (
    <>
      <h2 id={id}>{name}</h2>
      <ul aria-labelledby={id}>
        {channels.map((channel) => (
          <Item key={channel.id} channel={channel} />
        ))}
      </ul>
    </>
  );
}

export function ChannelList() {
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
      <Group name="Text" channels={text} Item={TextChannel} />
      <Group name="Voice" channels={voice} Item={VoiceChannel} />
    </nav>
  );
}
