import { useLayoutEffect, useRef } from 'preact/hooks';

const EMOJI = [
  ['👍', 'Thumbs up'],
  ['❤️', 'Heart'],
  ['😂', 'Laughing'],
  ['🎉', 'Party'],
  ['🚀', 'Rocket'],
  ['👀', 'Eyes'],
  ['✅', 'Done'],
  ['❌', 'No'],
  ['😮', 'Surprised'],
  ['😢', 'Sad'],
  ['🔥', 'Fire'],
  ['🙏', 'Thanks'],
] as const;

const COLUMNS = 6;

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -COLUMNS,
  ArrowDown: COLUMNS,
};

interface EmojiMenuProps {
  readonly onPick: (emoji: string) => void;
  readonly onClose: () => void;
}

/** Shows a dozen emoji to react with, navigable with arrow keys. */
export function EmojiMenu({ onPick, onClose }: EmojiMenuProps) {
  const ref = useRef<HTMLDivElement>(null);
  // Before the first paint, because the next key may already be queued.
  useLayoutEffect(() => ref.current?.querySelector('button')?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onClose();
      return;
    }
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = [...(ref.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  return (
    <div ref={ref} class="emoji-menu" role="group" aria-label="React with" onKeyDown={onKeyDown}>
      {EMOJI.map(([emoji, name]) => (
        <button
          key={emoji}
          type="button"
          class="emoji"
          aria-label={name}
          title={name}
          onClick={() => onPick(emoji)}
        >
          {emoji}
        </button>
      ))}
    </div>
  );
}
