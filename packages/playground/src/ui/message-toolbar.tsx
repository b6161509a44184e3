import { useSignal } from '@preact/signals';
import type { SimMessage, SimUser } from '@virgule/core/simulator-api';
import { useApp } from './app-context.js';
import { EmojiMenu } from './emoji-menu.js';
import { Icon, type IconName } from './icon.js';

interface ToolProps {
  readonly icon: IconName;
  readonly name: string;
  readonly isExpanded?: boolean;
  readonly onClick: () => void;
}

function Tool({ icon, name, isExpanded, onClick }: ToolProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={name}
      title={name}
      aria-expanded={isExpanded}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

interface MessageToolbarProps {
  readonly message: SimMessage;
  readonly user: SimUser;
  /** Moves the focus to the row when a part of the toolbar closes. */
  readonly focusRow: () => void;
}

/** Shows the actions of a message while its row is hovered or focused. */
export function MessageToolbar({ message, user, focusRow }: MessageToolbarProps) {
  const { actions, composer, inspector, store } = useApp();
  const isPicking = useSignal(false);
  const isOwn = message.authorId === user.id;
  // What the bot wrote because of an event belongs to that event, which the page does not know.
  const isOfBot = message.authorId === store.world.value.bot?.botUserId;
  const explains = message.interactionId ?? (isOfBot ? null : message.id);
  return (
    <div class="toolbar" role="group" aria-label="Message actions">
      <Tool
        icon="smile"
        name="React"
        isExpanded={isPicking.value}
        onClick={() => {
          isPicking.value = !isPicking.value;
        }}
      />
      <Tool icon="reply" name="Reply" onClick={() => composer.value?.reply(message)} />
      {isOwn && <Tool icon="pencil" name="Edit" onClick={() => composer.value?.edit(message)} />}
      {isOwn && (
        <Tool
          icon="trash"
          name="Delete"
          onClick={() => {
            focusRow();
            actions.deleteMessage(user, message);
          }}
        />
      )}
      <Tool
        icon="code"
        name="Raw message"
        onClick={() => {
          store.rawId.value = message.id;
        }}
      />
      {explains !== null && (
        <Tool icon="panel" name="What happened?" onClick={() => inspector.explain(explains)} />
      )}
      {isPicking.value && (
        <EmojiMenu
          onClose={() => {
            isPicking.value = false;
            focusRow();
          }}
          onPick={(emoji) => {
            isPicking.value = false;
            focusRow();
            actions.react(user, message, emoji, false);
          }}
        />
      )}
    </div>
  );
}
