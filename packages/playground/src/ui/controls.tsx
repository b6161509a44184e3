import type { Signal } from '@preact/signals';
import type { ButtonHTMLAttributes, ComponentChildren, InputHTMLAttributes } from 'preact';
import { Icon, type IconName } from './icon.js';

/** Shows a button with an edge. */
export function Button(props: ButtonHTMLAttributes) {
  return <button type="button" class="button" {...props} />;
}

/** Shows a button that looks like a link. */
export function TextButton(props: ButtonHTMLAttributes) {
  return <button type="button" class="text-button" {...props} />;
}

interface IconButtonProps extends ButtonHTMLAttributes {
  readonly icon: IconName;
  readonly label: string;
}

/** Shows a button that is an icon. */
export function IconButton({ icon, label, ...props }: IconButtonProps) {
  return (
    <button type="button" class="icon-button" aria-label={label} {...props}>
      <Icon name={icon} />
    </button>
  );
}

/** Shows a section of a tab. */
export function Section({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="task" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

type TextInputProps = InputHTMLAttributes & { readonly text: Signal<string> };

/** Shows a field for the text of a signal. */
export function TextInput({ text, ...props }: TextInputProps) {
  return (
    <input
      {...props}
      value={text.value}
      onInput={(event) => (text.value = event.currentTarget.value)}
    />
  );
}

interface JsonFieldProps {
  readonly label: string;
  readonly rows: number;
  readonly text: Signal<string | null>;
}

/** Shows a field for the JSON of a signal. */
export function JsonField({ label, rows, text }: JsonFieldProps) {
  return (
    <label class="fault-draft">
      {label}
      <textarea
        rows={rows}
        value={text.value ?? ''}
        spellcheck={false}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
    </label>
  );
}
