import { countOf } from '@virgule/core/text';
import { formatDuration } from '../state/format.js';
import { clockText } from '../state/sim-time.js';
import { store } from '../app/page.js';

const WORDS = { connecting: 'connecting', open: 'live', lost: 'offline' } as const;

export function StatusBar() {
  const { bots, clock, commands, profile, isReady } = store.world.value;
  const time = store.past.value === null ? clockText(clock) : 'the past';
  const { state } = store.connection.value;
  return (
    <footer class="status-bar">
      <span class={`status-${state}`}>
        <span class={state === 'open' ? 'dot' : 'dot dot-hollow'} aria-hidden="true" />
        page {WORDS[state]}
      </span>
      {bots.map((bot) => (
        <span key={bot.botUserId}>
          {bots.length > 1 ? bot.username : 'gateway'} {bot.connected ? 'connected' : 'closed'}
          {bot.identifies > 1 && `, ${countOf(bot.identifies - 1, 'reconnect')}`}
        </span>
      ))}
      {time !== '' && <span>{time}</span>}
      {isReady && <span class="status-extra">{countOf(commands.length, 'command')}</span>}
      {profile !== null && (
        <span class="status-extra">
          answer within {formatDuration(profile.answerWindowMs)}, if deferred within{' '}
          {formatDuration(profile.deferredWindowMs)}
        </span>
      )}
    </footer>
  );
}
