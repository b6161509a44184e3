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

/** Shows a row of a list as a button. */
export function Entry(props: ButtonHTMLAttributes) {
  return <button type="button" class="entry flow" {...props} />;
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
      class={shownIcon ? 'icon-button' : 'button danger'}
      title={icon && label}
      onBlur={() => (isAsked.value = false)}
      onClick={() => {
        if (isAsked.peek()) onConfirm();
        isAsked.value = !isAsked.peek();
      }}
    >
      {shownIcon && <Icon name={shownIcon} />}
      <span class={shownIcon && 'visually-hidden'}>
        {isAsked.value ? `Really ${label.toLowerCase()}` : `${label}${shownIcon ? '' : '…'}`}
      </span>
      {of !== '' && <span class="visually-hidden"> ({of})</span>}
    </button>
  );
}

interface SectionProps {
  readonly title: string;
  /** Name for screen readers. @defaultValue `title` */
  readonly name?: string;
  /** A fact about the item, such as its schedule. */
  readonly tag?: string | undefined;
  readonly note?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Section(props: SectionProps) {
  const { title, name = title, tag, note, class: kind = 'section', children } = props;
  return (
    <section class={kind} aria-label={name}>
      <div class="flow section-head">
        <h3>
          <bdi>{title}</bdi>
        </h3>
        {tag !== undefined && <span class="tag">{tag}</span>}
        <span class="spacer" />
        {note !== undefined && <span class="note">{note}</span>}
      </div>
      {children}
    </section>
  );
}

interface ItemProps extends Pick<SectionProps, 'tag' | 'note' | 'class'> {
  readonly icon?: string;
  readonly name: string;
  /** Controls at the end. */
  readonly children?: ComponentChildren;
}

/** Shows an item of a list of a section. */
export function Item({ class: kind = '', icon, name, tag, note, children }: ItemProps) {
  return (
    <li class={`flow item ${kind}`}>
      {icon !== undefined && <Icon name={icon} />}
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        {tag !== undefined && <span class="tag">{tag}</span>}
        <p class="note">{note}</p>
      </div>
      {children}
    </li>
  );
}

interface EmptyProps {
  readonly icon: string;
  /** Names what is missing. */
  readonly title: string;
  /** Says what makes it appear, and may have one action. */
  readonly children?: ComponentChildren;
}

/** Takes the place of a list without items. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h3>{title}</h3>
      {children && <p>{children}</p>}
    </div>
  );
}

type SearchFieldProps = Omit<InputHTMLAttributes, 'type' | 'list' | 'role'> & {
  readonly label: string;
  readonly text: Signal<string>;
};

/** Shows a field that changes the text of a signal. */
export function SearchField({ label, text, ...props }: SearchFieldProps) {
  return (
    <span class="field">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        spellcheck={false}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        {...props}
      />
      <kbd>/</kbd>
    </span>
  );
}
