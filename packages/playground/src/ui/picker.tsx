import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface PickerItem {
  readonly label: string;
  /** @defaultValue the label */
  readonly body?: ComponentChildren;
  readonly run?: (() => unknown) | undefined;
}

interface PickerProps {
  readonly label: string;
  readonly find: (query: string) => readonly PickerItem[];
  /** Number of items side by side. */
  readonly columns?: number;
  readonly onClose: () => void;
}

/** Shows a dialog with a list of actions, in which typing searches and the arrow keys select. */
export function Picker({ label, find, columns = 1, onClose }: PickerProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const query = useSignal('');
  const chosen = useSignal(0);
  const found = find(query.value.trim().toLowerCase());
  const at = Math.min(chosen.value, found.length - 1);
  // Before the first paint, because the next key may already be queued.
  useLayoutEffect(() => ref.current?.showModal(), []);
  useLayoutEffect(() => {
    ref.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const close = (item?: PickerItem) => {
    // The focus returns to its element before the action moves it.
    ref.current?.close();
    onClose();
    item?.run?.();
  };
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: columns,
    ArrowUp: -columns,
    ...(columns > 1 && { ArrowRight: 1, ArrowLeft: -1 }),
  };
  return (
    <dialog
      ref={ref}
      class={`slash-menu picker picker-${columns}`}
      aria-label={label}
      onCancel={() => close()}
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
      onKeyDown={(event) => {
        event.stopPropagation();
        const step = steps[event.key];
        if (step !== undefined) chosen.value = (at + step + found.length) % found.length || 0;
        else if (event.key === 'Enter') close(found[at]);
        else return;
        event.preventDefault();
      }}
    >
      <input
        type="search"
        list={undefined}
        role="combobox"
        aria-label="Search"
        placeholder={label}
        aria-controls="picker-list"
        aria-expanded
        aria-activedescendant={at < 0 ? undefined : `picker-${at}`}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          chosen.value = 0;
        }}
      />
      <ul id="picker-list" role="listbox" aria-label={label}>
        {found.map((item, index) => (
          <li
            key={item.label}
            id={`picker-${index}`}
            role="option"
            aria-label={item.label}
            aria-selected={index === at}
            title={item.label}
            onClick={() => close(item)}
          >
            {item.body ?? item.label}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="menu-note">Nothing found</p>}
    </dialog>
  );
}
