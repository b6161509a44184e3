import { initials } from '../state/avatar.js';
import { store } from '../app/page.js';
import { HUES } from '../app/store.js';

export function BotTag() {
  return <span class="bot-tag">BOT</span>;
}

interface AvatarProps {
  readonly id: string;
  readonly name: string;
  readonly size?: 'small' | 'medium';
}

export function Avatar({ id, name, size = 'medium' }: AvatarProps) {
  const hue = store.hues.value.get(id) ?? HUES[0];
  return (
    <span class={`avatar avatar-${size}`} style={{ '--hue': hue }} aria-hidden="true">
      {initials(name)}
    </span>
  );
}
