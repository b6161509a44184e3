import { useSignal } from '@preact/signals';
import type { ReactionEmoji } from '@virgule/core/protocol';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { emojiKey, findEmojis } from '../state/emojis.js';
import { store } from '../app/page.js';
import { EmojiImage } from './controls.js';

const COLUMNS = 6;

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -COLUMNS,
  ArrowDown: COLUMNS,
};

/** Distance from the button, and from the edges of the window, in pixels. */
const GAP_PX = 4;

/** Moves the menu below the element, or above it if there is more space. */
function place(menu: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = at.bottom + GAP_PX;
  const top = below + height > innerHeight ? at.top - GAP_PX - height : below;
  const clamp = (value: number, max: number) => Math.max(GAP_PX, Math.min(value, max - GAP_PX));
  menu.style.top = `${clamp(top, innerHeight - height)}px`;
  menu.style.left = `${clamp(at.right - width, innerWidth - width)}px`;
}

interface EmojiMenuProps {
  readonly onPick: (emoji: ReactionEmoji) => void;
  readonly onClose: () => void;
}

/** Shows the emojis for reactions, including custom emojis, navigable with arrow keys. Typing searches the emojis. */
export function EmojiMenu({ onPick, onClose }: EmojiMenuProps) {
  const ref = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const query = useSignal('');
  const world = store.world.value;
  const { server } = store.place.value;
  const find = () => findEmojis(query.value, world, server?.id ?? '');
  const found = find();
  const buttons = () => [...(ref.current?.querySelectorAll('button') ?? [])];
  // Before the first paint, because the next key may already be queued.
  useLayoutEffect(() => {
    const menu = ref.current;
    const anchor = menu?.parentElement;
    if (!menu || !anchor) return undefined;
    menu.showPopover();
    const follow = () => place(menu, anchor);
    follow();
    buttons()[0]?.focus();
    const stop = new AbortController();
    window.addEventListener('scroll', follow, { capture: true, signal: stop.signal });
    window.addEventListener('resize', follow, { signal: stop.signal });
    return () => stop.abort();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const { key, ctrlKey, metaKey } = event;
    const all = buttons();
    const at = all.findIndex((button) => button === document.activeElement);
    const step = STEPS[key];
    const handle = (act: () => void) => {
      event.preventDefault();
      act();
    };
    if (key === 'Escape') handle(onClose);
    else if (at === -1) {
      if (key === 'Enter') handle(() => all[0]?.click());
      if (key === 'ArrowDown') handle(() => all[0]?.focus());
    } else if (step !== undefined) {
      const isAbove = at + step < 0 && step === -COLUMNS;
      const next = isAbove ? search.current : all[(at + step + all.length) % all.length];
      handle(() => next?.focus());
    } else if (/^[\p{L}\p{N}]$/u.test(key) && !ctrlKey && !metaKey) {
      // The field then receives the key.
      search.current?.focus();
    }
  };
  return (
    <div
      ref={ref}
      class="emoji-menu"
      popover="manual"
      role="group"
      aria-label="React with"
      onKeyDown={onKeyDown}
    >
      <input
        ref={search}
        type="search"
        aria-label="Search emoji"
        placeholder="Search"
        autocomplete="off"
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          store.spoken.value = find()[0]?.name ?? 'No emoji found';
        }}
      />
      <div class="emoji-grid">
        {found.map(({ emoji, name, imageUrl }) => (
          <button
            key={emojiKey(emoji)}
            type="button"
            class="emoji"
            aria-label={name}
            title={name}
            onClick={() => onPick(emoji)}
          >
            {imageUrl === null ? emoji.unicodeEmoji : <EmojiImage url={imageUrl} />}
          </button>
        ))}
      </div>
      {found.length === 0 && <p class="emoji-none">No emoji found</p>}
    </div>
  );
}
