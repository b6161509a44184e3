import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Composer } from '../app/composer.js';
import { COUNT_FROM, MAX_CONTENT_LENGTH } from '../state/content-length.js';
import { isNarrow, store } from '../app/page.js';
import { Avatar } from './avatar.js';
import { AttachButton, FileDrop, FileTray } from './file-tray.js';
import { menuItemId, SlashMenu } from './slash-menu.js';
import { Icon, IconButton } from './controls.js';

function ModeBar({ composer }: { readonly composer: Composer }) {
  const mode = composer.mode.value;
  if (mode.kind === 'new') return null;
  return (
    <div class="mode-bar">
      <Icon name={mode.kind === 'edit' ? 'pencil' : 'reply'} />
      <span class="mode-text">
        {mode.kind === 'edit' ? (
          'Editing your message'
        ) : (
          <>
            Replying to <strong>{mode.message.authorDisplayName}</strong>
          </>
        )}
      </span>
      <kbd>Esc</kbd>
      <IconButton
        icon="close"
        label={mode.kind === 'edit' ? 'Stop editing' : 'Stop replying'}
        onClick={() => composer.cancelMode()}
      />
    </div>
  );
}

function Counter({ composer }: { readonly composer: Composer }) {
  const length = composer.length.value;
  if (length < COUNT_FROM || composer.line.value?.kind === 'command') return null;
  const isTooLong = composer.isTooLong.value;
  return (
    <p id="composer-counter" class={isTooLong ? 'counter counter-over' : 'counter'}>
      {length.toLocaleString('en')} / {MAX_CONTENT_LENGTH.toLocaleString('en')}
      {isTooLong && `, ${(length - MAX_CONTENT_LENGTH).toLocaleString('en')} too many`}
    </p>
  );
}

function TextField({ composer }: { readonly composer: Composer }) {
  const ref = useRef<HTMLTextAreaElement>(null);
  const seenRevision = useRef(composer.revision.peek());
  const { server, channel, user } = store.place.value;
  const hasBot = channel?.visibleToBot === true && (server?.botIds.length ?? 0) > 0;
  const text = composer.text.value;
  const revision = composer.revision.value;
  const isMenuOpen = composer.isMenuOpen.value;
  const hasList = isMenuOpen && composer.items.value.length > 0;
  const chosen = composer.chosen.value;
  const notes = [
    ...(isMenuOpen && composer.refused.value !== null ? ['composer-note'] : []),
    ...(composer.isTooLong.value ? ['composer-counter'] : []),
  ];

  useLayoutEffect(() => {
    const field = ref.current;
    if (field === null) return;
    // The height of the text; the style sheet limits it.
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
    if (seenRevision.current === revision) return;
    seenRevision.current = revision;
    field.focus();
    field.setSelectionRange(composer.caret.peek(), composer.caret.peek());
    // The width of the window matters too: letters are larger in a narrow window.
  }, [text, revision, isNarrow.value]);
  useLayoutEffect(() => {
    const isUnfocused = document.activeElement === document.body;
    if (isUnfocused && window.matchMedia('(pointer: fine)').matches) ref.current?.focus();
  }, []);

  const moveCaret = () => composer.moveCaret(ref.current?.selectionStart ?? 0);
  const where = `Message #${channel?.name ?? ''} as ${user?.displayName ?? ''}`;
  return (
    <textarea
      ref={ref}
      id="composer"
      rows={1}
      dir="auto"
      value={text}
      aria-label={where}
      // Browsers cut a long placeholder in the middle of a letter.
      placeholder={
        isNarrow.value
          ? `Message${hasBot ? ' or /command' : ', no bot here'}`
          : where + (hasBot ? ', or / for commands' : '. No bot here, so no commands')
      }
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-controls={hasList ? 'slash-list' : undefined}
      aria-activedescendant={hasList && chosen >= 0 ? menuItemId(chosen) : undefined}
      aria-invalid={notes.length > 0 ? true : undefined}
      aria-describedby={notes.length > 0 ? notes.join(' ') : undefined}
      autocomplete="off"
      onInput={({ currentTarget: field }) => composer.type(field.value, field.selectionStart)}
      onSelect={moveCaret}
      onKeyUp={moveCaret}
      onClick={moveCaret}
      onPaste={(event) => {
        const { types = [], files = [] } = event.clipboardData ?? {};
        // Programs that copy a table add a picture of the table next to its text.
        const isTable = ['text/plain', 'text/html'].every((type) => types.includes(type));
        if (isTable || files.length === 0) return;
        event.preventDefault();
        composer.attach([...files]);
      }}
      onKeyDown={(event) => {
        if (event.isComposing) return;
        if (composer.press(event)) event.preventDefault();
      }}
    />
  );
}

export function ComposerView({ composer }: { readonly composer: Composer }) {
  const { user } = store.place.value;
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        composer.submit();
      }}
    >
      <SlashMenu composer={composer} />
      <ModeBar composer={composer} />
      <FileTray composer={composer} />
      <FileDrop composer={composer} />
      <div class="composer-box">
        {user !== null && <Avatar id={user.id} name={user.displayName} size="small" />}
        {composer.mode.value.kind !== 'edit' && <AttachButton composer={composer} />}
        <TextField composer={composer} />
        <IconButton
          icon="send"
          label="Send"
          type="submit"
          class="icon-button send-button"
          title="Send (Enter)"
          disabled={!composer.canSubmit.value}
        />
      </div>
      <Counter composer={composer} />
    </form>
  );
}
