import { signal } from '@preact/signals';
import { FRAMEWORK_KEY, type SimStoredEntry } from '@virgule/core/simulator-api';
import { countOf, UUID } from '@virgule/core/text';
import { inspector, store } from '../app/page.js';
import { readJson } from '../net/request-error.js';
import { formatWait } from '../state/format.js';
import { prettyText } from '../state/trace-text.js';
import { Confirm, Empty, Entry, Icon, IconButton, SearchField, TextButton } from './controls.js';
import { Form } from './form.js';

const ID = new RegExp(UUID, 'g');

/** Key of the shown entry; empty for a new entry, `null` for none. */
const selected = signal<string | null>(null);

const query = signal('');
const showsIds = signal(false);

/** Returns a text with names in the place of ids, unless the user wants ids. */
export function named(text: string): string {
  if (showsIds.value) return text;
  return text.replaceAll(ID, (id) => store.names.value.get(id) ?? id);
}

/** Returns the part of the storage to which a key belongs, and the rest of the key. */
function partOf(key: string) {
  if (FRAMEWORK_KEY.test(key))
    return { icon: 'lock', title: 'Framework', kind: 'schedules, runs: read-only', rest: key };
  const [, kind, id = '', rest = key] = /^(server|command):([^:]+):(.*)$/s.exec(key) ?? [];
  if (kind === 'server') return { icon: 'world', title: named(id), kind, rest };
  if (kind === 'command') return { icon: 'commands', title: `/${id}`, kind, rest };
  return { icon: 'storage', title: 'Global', kind: '', rest };
}

function EntryRow({ entry }: { readonly entry: SimStoredEntry }) {
  const { key, value, length, expiresInMs } = entry;
  const tags = [
    value.length < length && `${length.toLocaleString('en')} characters`,
    expiresInMs !== null && `expires in ${formatWait(expiresInMs)}`,
  ];
  return (
    <li>
      <Entry aria-pressed={selected.value === key} onClick={() => (selected.value = key)}>
        <Icon name="key" />
        <code class="cut">{named(partOf(key).rest)}</code>
        <code class="cut note">{named(value)}</code>
        {tags.map((tag) => tag && <span class="tag">{tag}</span>)}
      </Entry>
    </li>
  );
}

/** Shows the value of an entry and changes it, or adds an entry. */
function Editor({ entry }: { readonly entry: SimStoredEntry | undefined }) {
  const { key = '', value = '', length = 0 } = entry ?? {};
  const isFixed = FRAMEWORK_KEY.test(key) || value.length < length;
  const { title, rest } = partOf(key);
  const initial = prettyText(value);
  return (
    <section class="section" aria-label="Value">
      <div class="flow">
        <h3>{entry ? `${title} › ${named(rest)}` : 'New key'}</h3>
        <span class="spacer" />
        <IconButton icon="close" label="Close editor" onClick={() => (selected.value = null)} />
      </div>
      {entry && <p class="note">{key}</p>}
      {isFixed ? (
        <pre>{initial}</pre>
      ) : (
        <Form
          key={key}
          fields={[
            ...(entry ? [] : [{ name: 'key' }]),
            { name: 'value', label: 'Value as JSON', type: 'json', rows: 6, initial },
          ]}
          submit="Save"
          onSubmit={({ key: given = key, value: text = '' }) =>
            inspector.send('entry', () => ({
              key: given,
              value: readJson(text, 'The value is not JSON.'),
            }))
          }
        >
          {entry && (
            <Confirm label="Delete key" onConfirm={() => inspector.send('entry', { key })} />
          )}
        </Form>
      )}
    </section>
  );
}

/** Returns the size of the shown part of the storage. */
export function storageNote(): string {
  const { entries = [], hasMore = false } = inspector.shown.value.stored ?? {};
  return `${countOf(entries.length, 'key')}${hasMore ? ' and more' : ''}`;
}

export function StorageTools() {
  return (
    <TextButton onClick={() => (selected.value = '')}>
      <Icon name="plus" /> Add key
    </TextButton>
  );
}

export function StorageTab() {
  const stored = inspector.shown.value.stored;
  const titles = new Set(stored?.entries.map(({ key }) => partOf(key).title));
  const entry = stored?.entries.find(({ key }) => key === selected.value);
  return (
    <>
      <div class="flow">
        <SearchField
          label="Search names, keys and values"
          text={query}
          onInput={(event) => inspector.search((query.value = event.currentTarget.value))}
        />
        <label class="flow">
          <input
            type="checkbox"
            role="switch"
            checked={showsIds.value}
            onChange={() => (showsIds.value = !showsIds.peek())}
          />
          Show ids
        </label>
      </div>
      {stored?.entries.length === 0 &&
        (query.value === '' ? (
          <Empty icon="storage" title="No keys yet">
            Keys appear when code calls <code>storage.set()</code>.
          </Empty>
        ) : (
          <Empty icon="search" title={`No entry has “${query.value}”`} />
        ))}
      {(entry !== undefined || selected.value === '') && <Editor entry={entry} />}
      <div class="tree">
        {[...titles].map((title) => {
          const entries = stored?.entries.filter(({ key }) => partOf(key).title === title) ?? [];
          const { icon, kind } = partOf(entries[0]?.key ?? '');
          return (
            <details key={title} open={title !== 'Framework'}>
              <summary class="entry flow">
                <Icon name="chevron" />
                <Icon name={icon} />
                <strong>{title}</strong>
                <span class="note">{[entries.length, kind].filter(Boolean).join(', ')}</span>
              </summary>
              <ul>
                {entries.map((each) => (
                  <EntryRow key={each.key} entry={each} />
                ))}
              </ul>
            </details>
          );
        })}
      </div>
      {stored?.hasMore === true && <p class="note">There are more entries. Search for them.</p>}
    </>
  );
}
