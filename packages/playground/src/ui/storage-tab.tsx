import type { SimStoredEntry } from '@virgule/core/simulator-api';
import { inspector } from '../app/page.js';
import { Button } from './controls.js';

function Entry({ entry: { key, value, length } }: { readonly entry: SimStoredEntry }) {
  const isCut = value.length < length;
  return (
    <li class="entry">
      <code class="entry-key">{key}</code>
      <code class="entry-value">
        {value}
        {isCut && '…'}
      </code>
      {isCut && <span class="note">{length.toLocaleString('en')} characters</span>}
    </li>
  );
}

export function StorageTab() {
  const stored = inspector.shown.value.stored;
  const prefix = inspector.prefix.value;
  return (
    <>
      <label class="field">
        Keys that begin with
        <input
          type="search"
          value={prefix}
          spellcheck={false}
          onInput={(event) => inspector.filter(event.currentTarget.value)}
        />
      </label>
      {stored?.entries.length === 0 && (
        <p class="empty">
          {prefix === ''
            ? 'Nothing is stored. Handlers store values with storage.set.'
            : 'No key has this prefix.'}
        </p>
      )}
      {stored && (
        <ul class="entries">
          {stored.entries.map((entry) => (
            <Entry key={entry.key} entry={entry} />
          ))}
        </ul>
      )}
      {stored?.hasMore === true && <Button onClick={() => inspector.more()}>Show more</Button>}
    </>
  );
}
