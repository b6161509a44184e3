export type IconName =
  | 'alert'
  | 'arrow-down'
  | 'auto'
  | 'close'
  | 'corner'
  | 'eye-off'
  | 'file'
  | 'hash'
  | 'menu'
  | 'moon'
  | 'pencil'
  | 'pin'
  | 'reply'
  | 'send'
  | 'smile'
  | 'sun'
  | 'trash'
  | 'volume';

/** A drawing from the sprite in index.html. It says nothing: the text beside it or the button's name does. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true" focusable="false">
      <use href={`#i-${name}`} />
    </svg>
  );
}
