import type { SimChannel } from '@virgule/core/simulator-api';
import { botName, commandsIn } from '../state/bots.js';
import { firstRunCards, type FirstRunCard } from '../state/first-run.js';
import { composer, store } from '../app/page.js';

function Card({ title, text, insert }: FirstRunCard) {
  const body = (
    <>
      <strong>{title}</strong>
      <span>{text}</span>
    </>
  );
  return (
    <li>
      {insert === null ? (
        <div class="section">{body}</div>
      ) : (
        <button type="button" class="section" onClick={() => composer.value?.fill(insert)}>
          {body}
        </button>
      )}
    </li>
  );
}

/** Shows hints for new users, based on the commands of the bot. */
export function FirstSteps() {
  const { server } = store.place.value;
  const commands = server === null ? [] : commandsIn(store.world.value, server);
  return (
    <ul class="cards" aria-label="First steps">
      {firstRunCards(commands, store.world.value).map((card) => (
        <Card key={card.title} {...card} />
      ))}
    </ul>
  );
}

export function FirstRun({ channel }: { readonly channel: SimChannel }) {
  const { server } = store.place.value;
  const isInstalled = (server?.botIds.length ?? 0) > 0;
  return (
    <div class="first-run">
      <h3>This is #{channel.name}</h3>
      <p>
        {isInstalled
          ? 'There are no messages yet. Write one, or type / to run a command.'
          : `${botName(store.world.value)} is not installed in this server, so commands do not work here.`}
      </p>
      {isInstalled && <FirstSteps />}
    </div>
  );
}
