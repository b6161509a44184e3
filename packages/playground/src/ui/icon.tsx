/** Shows three dots for work in progress. The dots are not animated if the user prefers reduced motion. */
export function Dots() {
  return (
    <span class="dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}

/** Shows a custom emoji. The element around the image has the name of the emoji. */
export function EmojiImage({ url }: { readonly url: string }) {
  return <img class="emoji-image" src={url} alt="" />;
}

export type IconName =
  | 'alert'
  | 'arrow-down'
  | 'auto'
  | 'clip'
  | 'close'
  | 'code'
  | 'copy'
  | 'download'
  | 'corner'
  | 'eye-off'
  | 'file'
  | 'hash'
  | 'menu'
  | 'moon'
  | 'panel'
  | 'pencil'
  | 'pin'
  | 'replay'
  | 'reply'
  | 'send'
  | 'smile'
  | 'sun'
  | 'trash'
  | 'volume';

/**
 * Shows an icon of the sprite in index.html. The icon is decorative: the text next to it or the name of the button
 * describes it.
 */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true" focusable="false">
      <use href={`#i-${name}`} />
    </svg>
  );
}
