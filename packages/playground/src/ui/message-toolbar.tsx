import { useSignal } from '@preact/signals';
import type { SimMessage, SimUser } from '@virgule/core/simulator-api';
import { isOwnBot } from '../state/bots.js';
import { actions, composer, inspector, runs, store } from '../app/page.js';
import { emojiKey, findEmojis } from '../state/emojis.js';
import { Confirm, EmojiImage, IconButton } from './controls.js';
import { Picker } from './picker.js';

interface MessageToolbarProps {
  readonly message: SimMessage;
  readonly user: SimUser;
  /** Moves the focus to the row when a part of the toolbar closes. */
  readonly focusRow: () => void;
}

export function MessageToolbar({ message, user, focusRow }: MessageToolbarProps) {
  const isPicking = useSignal(false);
  const isOwn = message.authorId === user.id;
  const isOfBot = isOwnBot(store.world.value, message.authorId);
  // A message of the bot because of an event belongs to that event, which the page knows only for a reply.
  const explains = message.interactionId ?? (isOfBot ? message.replyTo?.['messageId'] : message.id);
  const tools: [icon: string, label: string, act: () => void][] = [
    ['reply', 'Reply', () => composer.value?.reply(message)],
  ];
  if (isOwn) tools.push(['pencil', 'Edit', () => composer.value?.edit(message)]);
  if (message.interactionId !== null || !isOfBot)
    tools.push(['replay', 'Replay from here', () => runs.replay(message)]);
  if (typeof explains === 'string')
    tools.push(['trace', 'What happened?', () => inspector.explain(explains)]);
  return (
    <div class="toolbar" role="group" aria-label="Message actions">
      <IconButton
        icon="smile"
        label="React"
        aria-expanded={isPicking.value}
        onClick={() => (isPicking.value = !isPicking.value)}
      />
      {tools.map(([icon, label, act]) => (
        <IconButton key={label} icon={icon} label={label} onClick={act} />
      ))}
      {isOwn && (
        <Confirm
          icon="trash"
          label="Delete"
          onConfirm={() => {
            focusRow();
            actions.act('Deleting the message', user, 'delete', { message: message.id });
          }}
        />
      )}
      {isPicking.value && (
        <Picker
          label="React with"
          columns={6}
          find={(query) =>
            findEmojis(query, store.world.value, store.place.value.server?.id ?? '').map(
              ({ emoji, name, imageUrl }) => ({
                label: name,
                body: imageUrl === null ? emoji.unicodeEmoji : <EmojiImage url={imageUrl} />,
                run: () => actions.react(user, message, emojiKey(emoji), false),
              }),
            )
          }
          onClose={() => {
            isPicking.value = false;
            focusRow();
          }}
        />
      )}
    </div>
  );
}
