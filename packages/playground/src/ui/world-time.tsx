import { inspector, showMoment, store } from '../app/page.js';
import { Button, Section, TextButton } from './controls.js';
import { Add, Ask } from './world-parts.js';

/** Moves of the clock, by the text of their buttons. */
const MOVES = {
  '+5 s': { action: 'skip', time: '5000ms' },
  '+1 min': { action: 'skip', time: '60000ms' },
  '+15 min': { action: 'skip', time: '900000ms' },
  'Next deadline': { action: 'next' },
};

export function ClockSection() {
  const isPaused = store.world.value.clock.pausedAtMs !== null;
  return (
    <Section title="Clock">
      <p class="note">
        Interactions and files expire by this clock. In <code>virgule dev</code>, the tasks of the
        bot use it too.
      </p>
      <div class="buttons">
        <Button onClick={() => inspector.send('clock', { action: isPaused ? 'resume' : 'pause' })}>
          {isPaused ? 'Resume clock' : 'Pause clock'}
        </Button>
        {Object.entries(MOVES).map(([label, move]) => (
          <TextButton key={label} onClick={() => inspector.send('clock', move)}>
            {label}
          </TextButton>
        ))}
      </div>
    </Section>
  );
}

export function PastSection() {
  return (
    <Section title="Past">
      <p class="note">
        The page can show the world as it was after each of the last changes. The bot is not
        affected, and new events are shown afterwards.
      </p>
      <div class="buttons">
        <Button onClick={() => showMoment(null)}>Look at the past</Button>
      </div>
    </Section>
  );
}

export function SnapshotsSection() {
  const names = inspector.shown.value.snapshots ?? [];
  return (
    <Section title="Snapshots">
      <p class="note">
        Messages, users, servers and channels. The bot stays connected, and its storage does not
        change.
      </p>
      {names.length > 0 && (
        <ul class="snapshots" aria-label="Saved snapshots">
          {names.map((name) => (
            <li key={name}>
              <bdi>{name}</bdi>
              <span class="spacer" />
              <Ask label="Restore" of={name} change={['snapshot', { action: 'restore', name }]} />
              <Ask label="Delete" of={name} change={['snapshot', { action: 'delete', name }]} />
            </li>
          ))}
        </ul>
      )}
      <Add label="Name of a snapshot" submit="Save" change={['snapshot', { action: 'save' }]} />
      <div class="buttons">
        <Ask label="Reset to the beginning" change={['reset', {}]} />
      </div>
    </Section>
  );
}
