import { useApp } from './app-context.js';
import { Icon } from './icon.js';
import { Button, IconButton } from './controls.js';

/** Shows failed actions of the open channel, with buttons to retry them. */
export function FailureList() {
  const { store, actions } = useApp();
  const channelId = store.channelId.value;
  const failures = store.failures.value.filter((failure) => failure.channelId === channelId);
  if (failures.length === 0) return null;
  return (
    <ul class="failures" aria-label="Failed">
      {failures.map(({ id, what, error, retry }) => (
        <li key={id} class="banner banner-error">
          <Icon name="alert" />
          <div class="failure-text">
            <p>
              <strong class="failure-what">{what}</strong> failed. {error.message}
            </p>
            <p class="failure-code">
              <code>{error.code}</code>
              {error.requestId !== null && <code>{error.requestId}</code>}
            </p>
          </div>
          <Button onClick={retry}>Try again</Button>
          <IconButton icon="close" label="Dismiss" onClick={() => actions.dismissFailure(id)} />
        </li>
      ))}
    </ul>
  );
}
