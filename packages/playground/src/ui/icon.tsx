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

/** Shows an icon of the sprite in index.html. It is decorative: the text next to it or the name of the button describes it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true" focusable="false">
      <use href={`#i-${name}`} />
    </svg>
  );
}
