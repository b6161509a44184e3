import type { SimDeadline } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import { advance, inspector, now, showMoment, store } from '../app/page.js';
import { formatMoment, formatWait } from '../state/format.js';
import { clockText } from '../state/sim-time.js';
import { Button, Confirm, Icon, Item, Section } from './controls.js';
import { Add } from './world-parts.js';

/** Moves of the clock, by the text of their buttons. */
const MOVES = { '5 s': '5s', '1 min': '1m', '15 min': '15m', '1 h': '1h', '1 d': '1d' };

/** Icon of each kind of deadline, and the words around its name. */
const DEADLINES = {
  task: ['tasks', 'Task', ''],
  answer: ['commands', 'Answer of', 'expires'],
  upload: ['file', 'Upload', 'expires'],
} as const;

/** Lists what is due or expires next, of all kinds or in a box of one kind, and moves the clock to it. */
export function Deadlines({ kind }: { readonly kind?: SimDeadline['kind'] }) {
  const all = inspector.shown.value.deadlines ?? [];
  const shown = all.filter((deadline) => kind === undefined || deadline.kind === kind);
  if (shown.length === 0) return null;
  return (
    <ul class={kind ? 'section next' : 'items'} aria-label="Next">
      {shown.map(({ kind: of, name, at, timing }) => {
        const [icon, before, after] = DEADLINES[of];
        const timeMs = Date.parse(at);
        return (
          <Item
            key={of}
            icon={icon}
            name={`${before} ${name} ${after} in ${formatWait(timeMs - now())}`}
            note={formatMoment(timeMs, timing)}
          >
            <Button onClick={() => advance(`${Math.ceil(timeMs - now())}ms`)}>
              <Icon name="skip" />
              Skip to it
            </Button>
          </Item>
        );
      })}
    </ul>
  );
}

export function ClockSection() {
  const { clock } = store.world.value;
  const isPaused = clock.pausedAtMs !== null;
  const [day = '', time = ''] = new Date(now()).toISOString().split(/[T.]/);
  return (
    <Section title="Clock" tag={clockText(clock) || undefined}>
      <ul>
        <Item
          class="clock"
          name={`${time} UTC`}
          note={`${day}. Interactions and files expire by this clock; in virgule dev, tasks use it too.`}
        >
          <Button
            onClick={() => inspector.send('clock', { action: isPaused ? 'resume' : 'pause' })}
          >
            <Icon name={isPaused ? 'play' : 'pause'} />
            {isPaused ? 'Resume' : 'Pause'}
            <span class="visually-hidden"> clock</span>
          </Button>
        </Item>
      </ul>
      <div class="flow">
        <span class="note">Forward</span>
        {Object.entries(MOVES).map(([label, move]) => (
          <Button key={label} onClick={() => advance(move)}>
            {label}
          </Button>
        ))}
      </div>
      <Deadlines />
    </Section>
  );
}

export function HistorySection() {
  const { first, last } = inspector.shown.value.past ?? { first: 0, last: 0 };
  return (
    <Section title="History" note={countOf(Math.max(0, last - first), 'change')}>
      <input
        type="range"
        class="past-range"
        aria-label="Change to show"
        min={first}
        max={last}
        value={last}
        // The bar of the past replaces this one: it would end a drag.
        onChange={(event) => showMoment(event.currentTarget.valueAsNumber)}
      />
      <p class="flow">
        <span class="note">Shows an earlier state of the world. The bot is not affected.</span>
        <span class="spacer" />
        <Button onClick={() => showMoment(null)}>View history</Button>
      </p>
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
      <ul class="items" aria-label="Saved snapshots">
        {names.map((name) => (
          <Item key={name} name={name}>
            <Confirm
              label="Load"
              of={name}
              onConfirm={() => inspector.send('snapshot', { action: 'restore', name })}
            />
            <Confirm
              label="Delete"
              icon="trash"
              of={name}
              onConfirm={() => inspector.send('snapshot', { action: 'delete', name })}
            />
          </Item>
        ))}
      </ul>
      <Add label="Name of a snapshot" submit="Save" change={['snapshot', { action: 'save' }]} />
    </Section>
  );
}
