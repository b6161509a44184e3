import type { SimChannel } from '@virgule/core/simulator-api';
import { useApp } from './app-context.js';
import { CopyButton } from './copy-button.js';
import { Icon } from './icon.js';

export function ChannelHeader({ channel }: { readonly channel: SimChannel }) {
  const { server } = useApp().store.place.value;
  return (
    <div class="channel-header">
      <h2 id="channel-name">
        <Icon name="hash" />
        {channel.name}
      </h2>
      {channel.topic !== null && channel.topic !== '' && (
        <p class="topic" title={channel.topic}>
          {channel.topic}
        </p>
      )}
      {server?.botIds.length === 0 && <span class="chip chip-warn">bot not installed</span>}
      {!channel.visibleToBot && <span class="chip chip-warn">hidden from the bot</span>}
      <CopyButton key={channel.id} label="Copy id" name="of the channel" text={() => channel.id} />
    </div>
  );
}
