import { avatarHue, initials } from '../state/avatar.js';
import { useApp } from './app-context.js';

interface AvatarProps {
  readonly id: string;
  readonly name: string;
  readonly size?: 'small' | 'medium';
}

/** Shows initials on the color of an id. */
export function Avatar({ id, name, size = 'medium' }: AvatarProps) {
  const hue = useApp().store.hues.value.get(id) ?? avatarHue(id);
  return (
    <span class={`avatar avatar-${size} hue-${hue}`} aria-hidden="true">
      {initials(name)}
    </span>
  );
}
