import type { SimChannel } from '@virgule/core/simulator-api';
import { actions, composer, store } from '../app/page.js';
import { ComposerView } from './composer-view.js';
import { PastBar } from './past-bar.js';
import { PinBar } from './pin-bar.js';
import { MessageList } from './message-list.js';
import { ProblemPanel } from './problem-panel.js';
import { describeTyping } from '../state/typing.js';
import { CopyButton } from './copy-button.js';
import { Button, Dots, Empty, Icon, IconButton } from './controls.js';

/** Shows failed actions of the open channel, with buttons to retry them. */
function FailureList() {
  const channelId = store.channelId.value;
  const failures = store.failures.value.filter((failure) => failure.channelId === channelId);
  if (failures.length === 0) return null;
  return (
    <ul class="failures" aria-label="Failed">
      {failures.map(({ id, what, error, retry }) => (
        <li key={id} class="banner banner-error">
          <Icon name="alert" />
          <div class="failure-text">
            <p>
              <strong>{what}</strong> failed. {error.message}
            </p>
            <p class="flow note">
              <code>{error.code}</code>
              {error.requestId !== null && <code>{error.requestId}</code>}
            </p>
          </div>
          <Button onClick={retry}>Try again</Button>
          <IconButton icon="close" label="Dismiss" onClick={() => actions.dismissFailure(id)} />
        </li>
      ))}
    </ul>
  );
}

function ChannelHeader({ channel }: { readonly channel: SimChannel }) {
  const { server } = store.place.value;
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

function TypingLine() {
  const nowMs = store.nowMs.value;
  const typing = store.typing.value.get(store.channelId.value ?? '') ?? new Map<string, number>();
  const names = [...typing]
    .filter(([, untilMs]) => untilMs > nowMs)
    .map(([userId]) => store.world.value.users.find((user) => user.id === userId)?.displayName)
    .filter((name) => name !== undefined);
  const text = describeTyping(names);
  return (
    <p class="typing">
      {text}
      {text !== '' && <Dots />}
    </p>
  );
}

function Foot() {
  const { server, user } = store.place.value;
  const current = composer.value;
  if (store.past.value !== null)
    return (
      <div class="foot" data-region="composer">
        <PastBar />
      </div>
    );
  if (server === null || user === null || current === null) return null;
  return (
    <div class="foot" data-region="composer">
      <FailureList />
      <PinBar />
      {server.memberIds.includes(user.id) ? (
        <ComposerView key={`${store.channelId.value} ${user.id}`} composer={current} />
      ) : (
        <p class="notice" id="composer" tabIndex={-1}>
          {user.displayName} is not a member of {server.name}. To write here, act as a member.
        </p>
      )}
      <TypingLine />
    </div>
  );
}

export function Conversation() {
  const { channel } = store.place.value;
  const { isReady } = store.world.value;
  const missing = isReady ? 'No channel to show' : 'Connecting to the simulator…';
  return (
    <>
      {channel !== null && <ChannelHeader channel={channel} />}
      <div class="log-area">
        {channel === null ? (
          <Empty icon="hash" title={missing} />
        ) : (
          <MessageList key={channel.id} channel={channel} />
        )}
      </div>
      <ProblemPanel />
      <Foot />
    </>
  );
}
