import type { SimMessage } from '@virgule/core/simulator-api';
import { formatClock } from '../state/format.js';
import { AttachmentList } from './attachment-list.js';
import { Icon, EmojiImage } from './controls.js';
import { MarkdownView } from './markdown-view.js';
import { countOf, listOf } from '@virgule/core/text';
import { emojiKey, emojiText } from '../state/emojis.js';
import { actions, store } from '../app/page.js';

/** Shows the reactions of a message as toggle buttons for the acting user. */
function ReactionBar({ message }: { readonly message: SimMessage }) {
  const { user } = store.place.value;
  const { bots, emojis } = store.world.value;
  if (message.reactions.length === 0) return null;
  return (
    <ul class="reactions" aria-label="Reactions">
      {message.reactions.map((reaction) => {
        const isOwn = user !== null && reaction.userIds.includes(user.id);
        const names = bots
          .filter(({ botUserId }) => reaction.userIds.includes(botUserId))
          .map(({ displayName }) => displayName);
        const isByBot = names.length > 0;
        const url = emojis.find(({ id }) => id === reaction.emoji.customEmojiId)?.imageUrl;
        const byBot = isByBot ? `, one by ${listOf(names)}` : '';
        return (
          <li key={emojiKey(reaction.emoji)}>
            <button
              type="button"
              class={isByBot ? 'reaction reaction-by-bot' : 'reaction'}
              title={`${emojiText(reaction.emoji)}${isByBot ? `, ${listOf(names)} reacted` : ''}`}
              aria-pressed={isOwn}
              aria-label={`${emojiText(reaction.emoji)}, ${countOf(reaction.count, 'reaction')}${byBot}`}
              disabled={user === null}
              onClick={() => {
                if (user !== null) actions.react(user, message, emojiKey(reaction.emoji), isOwn);
              }}
            >
              <span class="reaction-emoji">
                {url === undefined ? emojiText(reaction.emoji) : <EmojiImage url={url} />}
              </span>
              <span class="reaction-count">{reaction.count}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

export function MessageBody({ message }: { readonly message: SimMessage }) {
  if (message.isDeleted) return <p class="tombstone">Message deleted</p>;
  const { editedAt } = message;
  return (
    <>
      <div class="content">
        <MarkdownView content={message.content} />
        {editedAt !== null && (
          <span
            class="edited"
            title={`Edited at ${formatClock(Date.parse(editedAt))} (${editedAt})`}
          >
            (edited)
          </span>
        )}
        {message.pinnedAt !== null && (
          <span class="edited">
            <Icon name="pin" />
            pinned
          </span>
        )}
      </div>
      <AttachmentList attachments={message.attachments} />
      <ReactionBar message={message} />
    </>
  );
}
