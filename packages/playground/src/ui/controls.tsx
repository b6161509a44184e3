import { useSignal, type Signal } from '@preact/signals';
import type { ButtonHTMLAttributes, ComponentChildren, InputHTMLAttributes } from 'preact';

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

/** Shows an icon of the sprite in index.html, hidden from screen readers. */
export function Icon({ name }: { readonly name: string }) {
  return (
    <svg class="icon" aria-hidden="true" focusable="false">
      <use href={`#i-${name}`} />
    </svg>
  );
}

export function Button(props: ButtonHTMLAttributes) {
  return <button type="button" class="button" {...props} />;
}

/** Shows a button that looks like a link. */
export function TextButton(props: ButtonHTMLAttributes) {
  return <button type="button" class="text-button" {...props} />;
}

interface IconButtonProps extends ButtonHTMLAttributes {
  readonly icon: string;
  readonly label: string;
}

export function IconButton({ icon, label, class: name, children, ...props }: IconButtonProps) {
  return (
    <button type="button" class={name ?? 'icon-button'} aria-label={label} title={label} {...props}>
      <Icon name={icon} />
      {children}
    </button>
  );
}

interface ConfirmProps {
  readonly label: string;
  /** Name of the item, for users who do not see the position of the button. */
  readonly of?: string;
  /** Shown instead of the label until the first click. */
  readonly icon?: string;
  readonly onConfirm: () => void;
}

/** A button that acts at the second click, for actions that cannot be undone. */
export function Confirm({ label, of = '', icon, onConfirm }: ConfirmProps) {
  const isAsked = useSignal(false);
  const shownIcon = isAsked.value ? undefined : icon;
  return (
    <button
      type="button"
      class={shownIcon ? 'icon-button' : 'text-button'}
      title={icon && label}
      onBlur={() => (isAsked.value = false)}
      onClick={() => {
        if (isAsked.peek()) onConfirm();
        isAsked.value = !isAsked.peek();
      }}
    >
      {shownIcon && <Icon name={shownIcon} />}
      <span class={shownIcon && 'visually-hidden'}>
        {isAsked.value ? `Really ${label.toLowerCase()}` : label}
      </span>
      {of !== '' && <span class="visually-hidden"> ({of})</span>}
    </button>
  );
}

interface SectionProps {
  readonly title: string;
  /** Name for screen readers. @defaultValue `title` */
  readonly name?: string;
  readonly note?: string | undefined;
  readonly children: ComponentChildren;
}

export function Section({ title, name = title, note, children }: SectionProps) {
  return (
    <section class="task" aria-label={name}>
      <div class="task-head">
        <h3>
          <bdi>{title}</bdi>
        </h3>
        {note !== undefined && <span class="note">{note}</span>}
      </div>
      {children}
    </section>
  );
}

type SearchFieldProps = Omit<InputHTMLAttributes, 'type' | 'list' | 'role'> & {
  readonly label: string;
  readonly text: Signal<string>;
};

/** Shows a field that changes the text of a signal. */
export function SearchField({ label, text, ...props }: SearchFieldProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      {...props}
      value={text.value}
      onInput={(event) => (text.value = event.currentTarget.value)}
    />
  );
}
