import { isMember } from '../state/place.js';
import { useApp } from './app-context.js';
import { ChannelHeader } from './channel-header.js';
import { ComposerView } from './composer-view.js';
import { FailureList } from './failure-list.js';
import { PastBar } from './past-bar.js';
import { PinBar } from './pin-bar.js';
import { MessageList } from './message-list.js';
import { ProblemPanel } from './problem-panel.js';
import { RawDialog } from './raw-dialog.js';
import { TypingLine } from './typing-line.js';

function Waiting() {
  const { store } = useApp();
  const text = store.world.value.isReady
    ? 'This simulator has no channel to show.'
    : 'Connecting to the simulator…';
  return <p class="empty">{text}</p>;
}

function Foot() {
  const { store, composer } = useApp();
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
      {isMember(server, user.id) ? (
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
  const { store } = useApp();
  const { channel } = store.place.value;
  return (
    <>
      {channel !== null && <ChannelHeader channel={channel} />}
      <div class="log-area">
        <ProblemPanel />
        {channel === null ? <Waiting /> : <MessageList key={channel.id} channel={channel} />}
      </div>
      <Foot />
      <RawDialog />
    </>
  );
}
