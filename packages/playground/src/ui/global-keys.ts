import { signal } from '@preact/signals';
import { inspector, navigation, settings, store } from '../app/page.js';
import { channelsOf } from '../state/place.js';

const FOCUSABLE =
  'a[href], button:not([disabled]), select, textarea:not([disabled]), [tabindex="0"]';

/** The current element of a region. */
const START =
  '[aria-current], [role="tab"][aria-selected="true"], [data-row][tabindex="0"], textarea#composer, [type="range"]';

const isVisible = (element: HTMLElement): boolean =>
  element.checkVisibility({ visibilityProperty: true });

/** Focuses the next region of the page. Returns false after the last region: the browser then handles the key. */
function cycleRegions(step: 1 | -1): boolean {
  const all = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) => isVisible(region) && region.closest('[inert]') === null,
  );
  const at = all.findIndex((region) => region.contains(document.activeElement));
  const next = at === -1 ? (step === 1 ? 0 : all.length - 1) : at + step;
  const region = all[next];
  if (region === undefined) return false;
  const start =
    region.querySelector<HTMLElement>(START) ??
    [...region.querySelectorAll<HTMLElement>(FOCUSABLE)].find(isVisible);
  start?.focus();
  return true;
}

function stepChannel(step: 1 | -1): boolean {
  const { server, channel } = store.place.peek();
  if (server === null || channel === null) return false;
  const { text } = channelsOf(store.world.peek(), server.id);
  const next = text[text.findIndex((item) => item.id === channel.id) + step];
  if (next !== undefined) navigation.openChannel(server.id, next.id);
  return true;
}

function escape(): boolean {
  const focused = document.activeElement;
  if (focused?.closest('.trace-detail')) focusFirst('.trace-list');
  else if (focused?.closest('#inspector')) {
    inspector.toggle();
    focusFirst('#inspector-button');
  } else if (store.isDrawerOpen.peek()) {
    store.isDrawerOpen.value = false;
    focusFirst('#drawer-button');
  } else if (store.world.peek().problems.length > 0 && !store.areProblemsCollapsed.peek())
    store.areProblemsCollapsed.value = true;
  else return false;
  return true;
}

/** Focuses the first element of a selector. Returns false without such an element. */
function focusFirst(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  return found !== null;
}

/** Returns whether an element takes no text: no element, a message, a button of a message, or a list of suggestions. */
function isWithoutText(element: Element | null): boolean {
  if (element === null || element === document.body) return true;
  return !element.matches('input') && element.closest('[role=log], [role=listbox]') !== null;
}

/** Contents of the open list of actions: all actions, or those with a key; `null` while it is closed. */
export const openPalette = signal<'all' | 'keys' | null>(null);

/** Moves the focus from a part of the inspector to its search field: elsewhere, a slash begins a command. */
const focusSearch = (): boolean =>
  document.activeElement?.closest('#inspector') != null && focusFirst('#inspector [type=search]');

const LETTERS = 'virgule.letters';
const areLettersOn = (): boolean => settings.getItem(LETTERS) !== 'off';
/** Switches the keys that are single letters on or off. */
const toggleLetters = () => settings.setItem(LETTERS, areLettersOn() ? 'off' : 'on');

const saveArchive = () => window.location.assign('/_sim/export?format=har');

/** An action of the page with its key, as shown. */
export interface KeyAction {
  readonly keys: string;
  readonly label: string;
  /** Returns false if the browser should handle the key. @defaultValue the focused element handles the key */
  readonly run?: () => boolean | void;
}

/** Keys of the page, of its help and of its palette. Single characters have no effect in text fields. */
export const KEYS: readonly KeyAction[] = [
  { keys: 'Ctrl K', label: 'Find an action', run: () => void (openPalette.value = 'all') },
  { keys: '?', label: 'Show all keys', run: () => void (openPalette.value = 'keys') },
  { keys: 'Ctrl .', label: 'Open or close the inspector', run: () => inspector.toggle() },
  { keys: 'Ctrl ,', label: 'Act as another user', run: () => focusFirst('#act-as') },
  { keys: 'F6', label: 'Go to the next region', run: () => cycleRegions(1) },
  { keys: 'Shift F6', label: 'Go to the previous region', run: () => cycleRegions(-1) },
  {
    keys: 'F8',
    label: 'Show or hide problems',
    run: () => void (store.areProblemsCollapsed.value = !store.areProblemsCollapsed.peek()),
  },
  { keys: 'Alt ↑', label: 'Open the previous channel', run: () => stepChannel(-1) },
  { keys: 'Alt ↓', label: 'Open the next channel', run: () => stepChannel(1) },
  { keys: '/', label: 'Filter or search the view', run: focusSearch },
  { keys: 'R', label: 'Run the selected command again' },
  { keys: 'E', label: 'Edit the selected command' },
  { keys: 'P', label: 'Pin the selected command' },
  { keys: 'T', label: 'Copy the selected command as a test' },
  { keys: 'Esc', label: 'Go back', run: escape },
  { keys: '↑ ↓ J K', label: 'Select a row' },
  { keys: '→ ←', label: 'Open or fold a row' },
  { keys: 'Enter', label: 'Go to the details of a row' },
  { keys: 'Ctrl Enter', label: 'Run a form' },
  { keys: 'Ctrl S', label: 'Save a value' },
  { keys: '', label: 'Save the requests of the trace as HAR', run: saveArchive },
  { keys: '', label: 'Switch single-letter keys on or off', run: toggleLetters },
];

const NAMES: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };

/** Returns a pressed key as in the table. */
function keysOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const name = key.length === 1 ? key.toUpperCase() : (NAMES[key] ?? key);
  const isShifted = shiftKey && key.length > 1;
  return [(ctrlKey || metaKey) && 'Ctrl', altKey && 'Alt', isShifted && 'Shift', name]
    .filter(Boolean)
    .join(' ');
}

/** Handles the keys that have an effect everywhere on the page. */
export function pressGlobalKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const keys = keysOf(event);
  const isText = keys.length === 1 && keys !== ' ';
  const focused = document.activeElement;
  const isInField = focused?.matches('input, textarea, select') === true;
  const hasLetters = !isInField && focused?.closest('#inspector') != null && areLettersOn();
  // Buttons of the details have the keys that are letters.
  const button = document.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(keys)}"]`);
  const action = isText && isInField ? undefined : KEYS.find((each) => each.keys === keys);
  // `undefined` is the result of an action that always applies.
  if (action?.run && action.run() !== false) event.preventDefault();
  else if (hasLetters && button !== null) button.click();
  // A typed character would otherwise be lost.
  else if (isText && isWithoutText(focused)) focusFirst('#composer');
}
