import { useApp } from './app-context.js';
import { Add, Confirm } from './world-parts.js';

const SKIPS = [
  { label: '+5 s', ms: 5_000 },
  { label: '+1 min', ms: 60_000 },
  { label: '+15 min', ms: 15 * 60_000 },
] as const;

/** Stops and skips the time of the world. */
export function ClockSection() {
  const { store, inspector } = useApp();
  const { clock } = store.world.value;
  const isPaused = clock.pausedAtMs !== null;
  return (
    <section class="task" aria-label="Clock">
      <h3>Clock</h3>
      <p class="fault-note">
        Interactions and files expire by this clock. In <code>virgule dev</code>, the tasks of the
        bot go by it too.
      </p>
      <div class="fault-buttons">
        <button
          type="button"
          class="button"
          onClick={() => inspector.send('clock', { action: isPaused ? 'resume' : 'pause' })}
        >
          {isPaused ? 'Resume clock' : 'Pause clock'}
        </button>
        {SKIPS.map(({ label, ms }) => (
          <button
            key={label}
            type="button"
            class="text-button"
            onClick={() => inspector.send('clock', { action: 'skip', time: `${ms}ms` })}
          >
            {label}
          </button>
        ))}
        <button
          type="button"
          class="text-button"
          onClick={() => inspector.send('clock', { action: 'next' })}
        >
          Next deadline
        </button>
      </div>
    </section>
  );
}

/** Shows the world as it was. */
export function PastSection() {
  const app = useApp();
  return (
    <section class="task" aria-label="Past">
      <h3>Past</h3>
      <p class="fault-note">
        The page can show the world as it was after each of the last changes. The bot is not
        affected, and what happens meanwhile is shown afterwards.
      </p>
      <div class="fault-buttons">
        <button type="button" class="button" onClick={() => app.showMoment(null)}>
          Look at the past
        </button>
      </div>
    </section>
  );
}

function Snapshot({ name }: { readonly name: string }) {
  const { inspector } = useApp();
  return (
    <li>
      <bdi>{name}</bdi>
      <span class="spacer" />
      <Confirm
        label="Restore"
        of={name}
        onConfirm={() => inspector.send('snapshot', { action: 'restore', name })}
      />
      <Confirm
        label="Delete"
        of={name}
        onConfirm={() => inspector.send('snapshot', { action: 'delete', name })}
      />
    </li>
  );
}

/** Saves the world by name, and brings it back. */
export function SnapshotsSection() {
  const { inspector } = useApp();
  const names = inspector.snapshots.value;
  return (
    <section class="task" aria-label="Snapshots">
      <h3>Snapshots</h3>
      <p class="fault-note">
        Messages, users, servers and channels. The bot stays connected, and its storage stays as it
        is.
      </p>
      {names.length > 0 && (
        <ul class="snapshots" aria-label="Saved snapshots">
          {names.map((name) => (
            <Snapshot key={name} name={name} />
          ))}
        </ul>
      )}
      <Add
        label="Name of a snapshot"
        action="Save"
        onAdd={(name) => inspector.send('snapshot', { action: 'save', name })}
      />
      <div class="fault-buttons">
        <Confirm label="Reset to the beginning" onConfirm={() => inspector.send('reset')} />
      </div>
    </section>
  );
}
