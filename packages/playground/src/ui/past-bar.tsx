import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatTime } from '../state/format.js';
import { inspector, reconnectNow, showMoment, store } from '../app/page.js';
import { Button, Icon } from './controls.js';

/** Shows the moment of the past in place of the composer, and moves to other moments. */
export function PastBar() {
  const ref = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => ref.current?.focus(), []);
  const isAlone = inspector.tab.value === null;
  // No element behind the inspector can have the focus on a narrow screen before the inspector closes.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus();
  }, [isAlone]);
  const past = store.past.value;
  if (past === null) return null;
  const { first, last, moment } = past;
  const atMs = store.world.value.clock.pausedAtMs ?? 0;
  const time = formatTime(atMs);
  return (
    // Has the id of the composer, so that the link that skips to the composer works.
    <section id="composer" class="past" aria-label="The past" tabIndex={-1}>
      <p class="past-text" role="status">
        <Icon name="replay" />
        <span>
          <strong>The past.</strong> The page shows the world as it was. Nothing can be changed.
        </span>
      </p>
      <div class="past-tools">
        <input
          ref={ref}
          type="range"
          class="past-range"
          aria-label="Moment"
          aria-valuetext={`${time}, change ${moment - first} of ${last - first}`}
          min={first}
          max={last}
          value={moment}
          onInput={(event) => showMoment(event.currentTarget.valueAsNumber)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            reconnectNow();
          }}
        />
        <time class="past-time" dateTime={new Date(atMs).toISOString()}>
          {time}
        </time>
        <Button onClick={() => reconnectNow()}>Back to now</Button>
      </div>
    </section>
  );
}
