import { describeTyping } from '../state/typing.js';
import { useApp } from './app-context.js';
import { Dots } from './dots.js';

export function TypingLine() {
  const { store } = useApp();
  const nowMs = store.nowMs.value;
  const typing = store.typing.value.get(store.channelId.value ?? '') ?? new Map<string, number>();
  const names = [...typing]
    .filter(([, untilMs]) => untilMs > nowMs)
    .map(([userId]) => store.world.value.users.find((user) => user.id === userId)?.displayName)
    .filter((name) => name !== undefined);
  const text = describeTyping(names);
  return (
    <p class="typing">
      {text}
      {text !== '' && <Dots />}
    </p>
  );
}
