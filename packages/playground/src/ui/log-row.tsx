import type { SimFailure, SimInteraction, SimMessage } from '@virgule/core/simulator-api';
import { useComputed } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { plainText } from '../markdown/plain-text.js';
import { botName, isOwnBot } from '../state/bots.js';
import { formatClock } from '../state/format.js';
import { mentionsOf } from '../state/mention-name.js';
import { readReply } from '../state/reply.js';
import { shownLine } from '../state/shown-line.js';
import type { EntryRow } from '../state/timeline.js';
import { store, inspector, runs } from '../app/page.js';
import { Avatar, BotTag } from './avatar.js';
import { DocsLink, SourceText } from './code-block.js';
import { Dots, Icon, TextButton } from './controls.js';
import { MessageBody } from './message-body.js';
import { MessageToolbar } from './message-toolbar.js';
import { describeInteraction } from '../state/interaction-text.js';

interface InteractionProps {
  readonly interaction: SimInteraction;
}

interface CauseProps extends Pick<SimInteraction, 'id'> {
  readonly failure: SimFailure;
  readonly rawInput?: string;
}

/** Shows the error behind an answer or a message, which users of the bot do not see. */
function Cause({ id, failure, rawInput }: CauseProps) {
  const { message, code, where } = failure;
  return (
    <div class={code === 'E_CHILD_LOST' ? 'section cause cause-warn' : 'section cause'}>
      <p>
        {message} {code !== undefined && <DocsLink code={code} />}
      </p>
      <p class="note">
        Shown on this page only. {where !== undefined && <SourceText text={where} />}
      </p>
      <p class="buttons">
        <TextButton onClick={() => inspector.explain(id)}>What happened?</TextButton>
        {rawInput !== undefined && (
          <TextButton onClick={() => runs.again(rawInput)}>Run again</TextButton>
        )}
      </p>
    </div>
  );
}

/** Shows the state of an interaction without an answer. */
function InteractionBody({ interaction }: InteractionProps) {
  const { world, nowMs } = store;
  const { tone, text, detail } = describeInteraction(interaction, world.value, nowMs.value);
  return (
    <p class={`interaction interaction-${tone}`}>
      <span class="interaction-text">
        {tone === 'error' && <Icon name="alert" />}
        {text}
        {tone === 'thinking' && <Dots />}
      </span>
      {detail !== '' && <span class="interaction-detail">{detail}</span>}
      {tone === 'error' && (
        <TextButton onClick={() => inspector.explain(interaction.id)}>What happened?</TextButton>
      )}
    </p>
  );
}

/** Highlight without motion; forced colors show its outline only. */
const FLASH = {
  backgroundColor: 'color-mix(in srgb, var(--accent) 16%, var(--bg2))',
  outline: '2px solid var(--accent)',
  outlineOffset: '-2px',
};
const FLASH_MS = 1200;

/** Scrolls to a message, focuses its row and highlights it briefly. */
function jumpTo(messageId: string): void {
  const row = document.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`);
  if (row === null) return;
  row.scrollIntoView({ block: 'center' });
  row.focus({ preventScroll: true });
  row.animate([FLASH, FLASH], FLASH_MS);
}

interface LogRowProps {
  readonly row: EntryRow;
  readonly isTabStop: boolean;
  readonly isActive: boolean;
}

function CommandLine({ interaction }: InteractionProps) {
  const world = store.world.value;
  const name = world.users.find((user) => user.id === interaction.userId)?.displayName ?? 'Someone';
  return (
    <p class="row-above">
      <Icon name="corner" />
      <span class="row-above-text">
        <bdi>{name}</bdi> used{' '}
        <code title={interaction.rawInput}>
          {shownLine(interaction.rawInput, store.names.value)}
        </code>
      </span>
    </p>
  );
}

function ReplyLine({ message }: { readonly message: SimMessage }) {
  // Most messages are no replies and do not read the log, which changes with each message.
  const find = (id: string) => store.openLog.value.messages.find((item) => item.id === id);
  const reply = readReply(message, find);
  if (reply === null) return null;
  const { messageId } = reply;
  const text = (
    <span class="row-above-text">
      {reply.author !== '' && (
        <strong>
          <bdi>{reply.author}</bdi>
        </strong>
      )}{' '}
      <bdi>{plainText(reply.text, store.names.value)}</bdi>
    </span>
  );
  const isHere = messageId !== null && find(messageId) !== undefined;
  return (
    <p class="row-above">
      <Icon name="corner" />
      <span class="visually-hidden">In reply to </span>
      {isHere ? (
        <button type="button" class="row-above-link" onClick={() => jumpTo(messageId)}>
          {text}
        </button>
      ) : (
        text
      )}
    </p>
  );
}

function authorOf({ message, interaction }: EntryRow) {
  const world = store.world.value;
  if (message === null) {
    const id = interaction?.botUserId ?? '';
    return { id, name: botName(world, id), isBot: true };
  }
  const isBot =
    isOwnBot(world, message.authorId) ||
    world.users.some((user) => user.id === message.authorId && user.isBot);
  return { id: message.authorId, name: message.authorDisplayName, isBot };
}

/** Shows a message, or an interaction without an answer. */
export function LogRow({ row, isTabStop, isActive }: LogRowProps) {
  const { key: rowKey, message, interaction, startsGroup, isSending } = row;
  const ref = useRef<HTMLElement>(null);
  // Tab stops only in the current row, so that 100 messages are not 100 stops.
  useLayoutEffect(() => {
    for (const element of ref.current?.querySelectorAll<HTMLElement>('a, button') ?? [])
      element.tabIndex = isTabStop ? 0 : -1;
  });
  const author = authorOf(row);
  const failure = interaction?.failure ?? message?.failure;
  const { user } = store.place.value;
  const isoTime = message?.createdAt ?? interaction?.createdAt ?? '';
  const clock = formatClock(Date.parse(isoTime));
  const isThinking = message === null && interaction?.state === 'deferred';
  const mentionsUser =
    user !== null &&
    message?.isDeleted === false &&
    mentionsOf(user.id, store.world.value.roles).some((mention) =>
      message.content.includes(mention),
    );
  const isLinked = useComputed(() => {
    const { group } = (inspector.tab.value === 'trace' && inspector.trace.selected.value) || {};
    return group !== undefined && [interaction?.id, message?.id].includes(group.key);
  }).value;
  const states = [
    'row',
    isLinked && 'row-linked',
    startsGroup && 'row-start',
    isActive && 'row-active',
    isSending && 'row-sending',
    message === null && interaction?.state === 'expired' && 'row-expired',
    mentionsUser && 'row-mention',
  ];
  return (
    <article
      ref={ref}
      class={states.filter(Boolean).join(' ')}
      data-row={rowKey}
      data-message={isSending ? undefined : message?.id}
      tabIndex={isTabStop ? 0 : -1}
      aria-labelledby={`by-${rowKey} what-${rowKey}`}
      aria-busy={isThinking || isSending ? true : undefined}
    >
      {interaction !== null && <CommandLine interaction={interaction} />}
      {message !== null && <ReplyLine message={message} />}
      <div class="row-side">
        {startsGroup ? (
          <Avatar id={author.id} name={author.name} />
        ) : (
          <time class="row-time" dateTime={isoTime} title={isoTime}>
            {clock}
          </time>
        )}
      </div>
      <div class="row-main">
        <p id={`by-${rowKey}`} class={startsGroup ? 'row-by' : 'visually-hidden'}>
          <strong class="row-author">
            <bdi>{author.name}</bdi>
          </strong>
          {author.isBot && <BotTag />}
          <time dateTime={isoTime} title={isoTime}>
            {clock}
          </time>
          {isLinked && <span class="tag">in the inspector</span>}
        </p>
        <div id={`what-${rowKey}`}>
          {message === null ? (
            interaction !== null && <InteractionBody interaction={interaction} />
          ) : (
            <>
              <MessageBody message={message} />
              {failure && <Cause {...(interaction ?? message)} failure={failure} />}
            </>
          )}
        </div>
      </div>
      {isActive && !isSending && message !== null && !message.isDeleted && user !== null && (
        <MessageToolbar message={message} user={user} focusRow={() => ref.current?.focus()} />
      )}
    </article>
  );
}
