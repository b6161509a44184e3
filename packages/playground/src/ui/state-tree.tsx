import { useSignal } from '@preact/signals';
import { loader, store } from '../app/page.js';
import { Section, SearchField } from './controls.js';

/** Maximum number of shown items of a list. */
const MAX_ITEMS = 200;

/** Keys with hidden values: a token acts as its user. */
const HIDDEN = new Set(['token']);

/** Returns the label of a branch from a field like a name; empty without such a field. */
function labelOf(value: object): string {
  const { name, username, rawInput, content, code, channelId } = value as Record<string, unknown>;
  const label = name ?? username ?? rawInput ?? content ?? code ?? channelId;
  return typeof label === 'string' ? label : '';
}

function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  if (value instanceof Map) return [...(value as Map<string, unknown>)];
  return Object.entries(value).filter(([key]) => !HIDDEN.has(key));
}

interface BranchProps {
  readonly name: string;
  readonly value: object;
  /** Called when the branch is opened, to load its contents. */
  readonly onOpen?: () => void;
}

function Branch({ name, value, onOpen }: BranchProps) {
  const isOpen = useSignal(false);
  const entries = entriesOf(value);
  const label = labelOf(value);
  const isList = Array.isArray(value) || value instanceof Map;
  return (
    <details
      class="tree"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
        if (isOpen.peek()) onOpen?.();
      }}
    >
      <summary>
        {/* The name of a list item replaces its index. */}
        {(label === '' || !/^\d+$/.test(name)) && `${name} `}
        {label !== '' && <bdi class="tree-label">{label}</bdi>}{' '}
        {isList && onOpen === undefined && <span class="note">{entries.length}</span>}
      </summary>
      {isOpen.value && (
        <ul>
          {entries.slice(0, MAX_ITEMS).map(([key, item]) => (
            <li key={key}>
              <Node name={key} value={item} />
            </li>
          ))}
          {entries.length > MAX_ITEMS && <li class="note">The first {MAX_ITEMS} are shown.</li>}
        </ul>
      )}
    </details>
  );
}

function Node({ name, value }: { readonly name: string; readonly value: unknown }) {
  const isBranch = typeof value === 'object' && value !== null && entriesOf(value).length > 0;
  if (isBranch) return <Branch name={name} value={value} />;
  return (
    <p class="tree-leaf">
      {name}: <code>{value instanceof Map ? '[]' : JSON.stringify(value)}</code>
    </p>
  );
}

/** The messages of every channel; the messages of a channel are loaded when its branch is opened. */
function Messages() {
  const { channels, servers } = store.world.value;
  return (
    <details class="tree">
      <summary>messages</summary>
      <ul>
        {channels.map(({ id, name, serverId }) => (
          <li key={id}>
            <Branch
              name={`#${name} in ${servers.find((server) => server.id === serverId)?.name ?? ''}`}
              value={store.logs.value.get(id)?.messages ?? []}
              onOpen={() => {
                if (!store.logs.peek().has(id)) void loader.loadNewest(id);
              }}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Shows the whole world with its ids, as a tree. */
export function StateSection() {
  const query = useSignal('');
  const { isReady: _isReady, ...world } = store.world.value;
  const wanted = query.value.trim().toLowerCase();
  const messages = [...store.logs.value.values()].flatMap((log) => log.messages);
  const found = wanted === '' ? entriesOf(world) : search({ ...world, messages }, wanted);
  return (
    <Section title="State">
      <SearchField class="world-search" label="Find an id or a name" text={query} />
      <ul class="tree-root">
        {found.slice(0, MAX_ITEMS).map(([name, value]) => (
          <li key={name}>
            <Node name={name} value={value} />
          </li>
        ))}
        {wanted === '' && (
          <li>
            <Messages />
          </li>
        )}
      </ul>
      {found.length === 0 && <p class="note">Nothing in the world has this.</p>}
    </Section>
  );
}

/** Returns the records with a text in one of their direct values. */
function search(all: object, wanted: string): readonly (readonly [string, unknown])[] {
  const recordsOf = (value: unknown) =>
    typeof value === 'object' && value !== null ? entriesOf(value) : [];
  const has = (record: unknown) =>
    recordsOf(record).some(
      ([, value]) => typeof value === 'string' && value.toLowerCase().includes(wanted),
    );
  return entriesOf(all).flatMap(([kind, records]) =>
    recordsOf(records).flatMap(([key, record]) =>
      has(record) ? [[`${kind} ${key}`, record] as const] : [],
    ),
  );
}
