import { initials } from '../state/avatar.js';
import { store } from '../app/page.js';

export function BotTag() {
  return <span class="bot-tag">BOT</span>;
}

interface AvatarProps {
  readonly id: string;
  readonly name: string;
  readonly size?: 'small' | 'medium';
}

/** Shows initials on the color of an id. */
export function Avatar({ id, name, size = 'medium' }: AvatarProps) {
  const hue = store.hues.value.get(id) ?? 0;
  return (
    <span class={`avatar avatar-${size} hue-${hue}`} aria-hidden="true">
      {initials(name)}
    </span>
  );
}
