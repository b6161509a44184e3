import { inspector, navigation, store } from '../app/page.js';
import { channelsOf } from '../state/place.js';

const FOCUSABLE =
  'a[href], button:not([disabled]), select, textarea:not([disabled]), [tabindex="0"]';

/** The current element of a region. */
const START =
  '[aria-current], [role="tab"][aria-selected="true"], [data-row][tabindex="0"], textarea#composer, [type="range"]';

const isVisible = (element: HTMLElement): boolean =>
  element.checkVisibility({ visibilityProperty: true });

/** Returns the regions that F6 cycles through, in the order of the page. */
function regions(): readonly HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>('[data-region]')];
  return all.filter((region) => isVisible(region) && region.closest('[inert]') === null);
}

function focusRegion(region: HTMLElement): void {
  const start =
    region.querySelector<HTMLElement>(START) ??
    [...region.querySelectorAll<HTMLElement>(FOCUSABLE)].find(isVisible);
  start?.focus();
}

/** Focuses the next region. Returns false after the last region: the browser then handles the key. */
function cycleRegions(step: 1 | -1): boolean {
  const all = regions();
  const at = all.findIndex((region) => region.contains(document.activeElement));
  const next = at === -1 ? (step === 1 ? 0 : all.length - 1) : at + step;
  const region = all[next];
  if (region === undefined) return false;
  focusRegion(region);
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
  if (document.getElementById('inspector')?.contains(document.activeElement)) {
    inspector.toggle();
    document.getElementById('inspector-button')?.focus();
    return true;
  }
  if (store.isDrawerOpen.peek()) {
    store.isDrawerOpen.value = false;
    document.getElementById('drawer-button')?.focus();
    return true;
  }
  if (store.world.peek().problems.length === 0 || store.areProblemsCollapsed.peek()) return false;
  store.areProblemsCollapsed.value = true;
  return true;
}

/** Returns whether an element takes no text: no element, a message, a button of a message, or a list of suggestions. */
function isWithoutText(element: Element | null): boolean {
  if (element === null || element === document.body) return true;
  return !element.matches('input') && element.closest('[role=log], [role=listbox]') !== null;
}

/** Moves the focus to the composer when a typed character would otherwise be lost. */
function focusComposer(event: KeyboardEvent): void {
  const isText = event.key.length === 1 && event.key !== ' ';
  if (isText && isWithoutText(document.activeElement)) document.getElementById('composer')?.focus();
}

/** Moves the focus from the trace to its filter; does nothing in a text field. */
function focusFilter({ target }: KeyboardEvent): boolean {
  const filter = document.getElementById('trace-filter');
  if (filter === null || target instanceof HTMLInputElement) return false;
  if (!(target instanceof Element) || target.closest('#inspector') === null) return false;
  filter.focus();
  return true;
}

function press(event: KeyboardEvent): boolean {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key === 'F6' && isPlain) return cycleRegions(event.shiftKey ? -1 : 1);
  if (event.key === 'F8') store.areProblemsCollapsed.value = !store.areProblemsCollapsed.peek();
  if (event.key === 'Escape') return escape();
  if (event.key === '.' && (event.ctrlKey || event.metaKey) && !event.altKey) {
    inspector.toggle();
    return true;
  }
  if (event.altKey && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
    if (event.key === 'ArrowUp') return stepChannel(-1);
    if (event.key === 'ArrowDown') return stepChannel(1);
  }
  if (event.key === '/' && focusFilter(event)) return true;
  if (isPlain) focusComposer(event);
  return false;
}

/** Handles the keys that have an effect everywhere on the page. */
export function pressGlobalKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  if (press(event)) event.preventDefault();
}
