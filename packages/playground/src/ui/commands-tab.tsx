import { useSignal } from '@preact/signals';
import type { CommandOption } from '@virgule/core/protocol';
import { countOf } from '@virgule/core/text';
import { nameableIn, suggestValues, type Nameable } from '../slash/option-values.js';
import { commandsIn, commandWord, type ServerCommand } from '../state/bots.js';
import { formatClock } from '../state/format.js';
import { lineOfForm } from '../state/line-of-form.js';
import { shownLine } from '../state/shown-line.js';
import { timeOf } from '../state/message-time.js';
import { statsKey, type CommandStats } from '../state/trace-stats.js';
import { shortDuration } from '../state/trace-text.js';
import { inspector, runs, store } from '../app/page.js';
import { Button, Section } from './controls.js';

/** Maximum number of runs in the list of a command. */
const MAX_RUNS = 5;

interface FieldProps {
  readonly option: CommandOption;
  /** Id of the command. */
  readonly id: string;
  readonly nameable: Nameable;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function Field({ option, id, nameable, value, onValue }: FieldProps) {
  const { name, description, type, required } = option;
  const suggestions = suggestValues(option, '', nameable);
  const listId = `values-${id}-${name}`;
  const isNumber = type === 'integer' || type === 'number';
  return (
    <label class="command-field">
      <span>
        {name}
        {!required && <span class="command-note"> optional</span>}
      </span>
      {type === 'boolean' ? (
        <select value={value} onChange={(event) => onValue(event.currentTarget.value)}>
          <option value="">{required ? 'choose' : 'not set'}</option>
          <option value="yes">yes</option>
          <option value="no">no</option>
        </select>
      ) : (
        <input
          value={value}
          inputMode={isNumber ? 'decimal' : 'text'}
          required={required}
          placeholder={type}
          spellcheck={false}
          autocomplete="off"
          list={suggestions.length === 0 ? undefined : listId}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map(({ insert, detail }) => (
            <option key={insert} value={insert} label={detail} />
          ))}
        </datalist>
      )}
      <span class="command-note">{description}</span>
    </label>
  );
}

function LastRuns({ command }: { readonly command: ServerCommand }) {
  const runs = [...store.interactions.value.values()]
    .filter(
      ({ commandName, botUserId }) =>
        commandName === command.name && botUserId === command.botUserId,
    )
    .slice(-MAX_RUNS)
    .toReversed();
  if (runs.length === 0) return null;
  return (
    <ul class="command-runs" aria-label={`Last runs of /${commandWord(command)}`}>
      {runs.map(({ id, rawInput, state, hasFailed, createdAt }) => (
        <li key={id}>
          <button type="button" class="command-run" onClick={() => inspector.explain(id)}>
            <time dateTime={createdAt}>{formatClock(timeOf(createdAt))}</time>
            <code>{rawInput}</code>
            <span class={hasFailed || state === 'expired' ? 'command-failed' : 'command-note'}>
              {hasFailed ? 'failed' : state}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function describeStats({ runs, errors, p50, p99 }: CommandStats): string {
  const failed = errors === 0 ? '' : `, ${countOf(errors, 'error')}`;
  const times =
    p50 === null || p99 === null ? '' : `, p50 ${shortDuration(p50)}, p99 ${shortDuration(p99)}`;
  return `${countOf(runs, 'run')}${failed}${times}`;
}

interface CommandCardProps {
  readonly command: ServerCommand;
  readonly nameable: Nameable;
}

function CommandCard({ command, nameable }: CommandCardProps) {
  const values = useSignal<Readonly<Record<string, string>>>({});
  const word = commandWord(command);
  const { bots } = store.world.value;
  // `virgule dev` knows only the files of the first bot.
  const isFirst = bots[0]?.botUserId === command.botUserId;
  const bot = bots.find(({ botUserId }) => botUserId === command.botUserId);
  const stats = inspector.trace.stats.value.get(statsKey(bot?.username, command.name));
  const file = isFirst ? inspector.files.value.get(command.name) : undefined;
  const line = lineOfForm(command, values.value, nameable);
  return (
    <section class="task" aria-label={`Command /${word}`}>
      <div class="task-head">
        <h3>/{word}</h3>
        {stats && <span class="task-when">{describeStats(stats)}</span>}
      </div>
      <p class="task-file">{command.description}</p>
      {file !== undefined && (
        <p class="task-file">
          <code>{file}</code>
        </p>
      )}
      <form
        class="command-form"
        onSubmit={(event) => {
          event.preventDefault();
          runs.again(line);
        }}
      >
        {command.options.map((option) => (
          <Field
            key={option.name}
            option={option}
            id={command.id}
            nameable={nameable}
            value={values.value[option.name] ?? ''}
            onValue={(value) => {
              values.value = { ...values.value, [option.name]: value };
            }}
          />
        ))}
        <p class="command-line">
          <code>{shownLine(line, store.world.value)}</code>
          <button type="submit" class="button">
            Run<span class="visually-hidden"> /{word}</span>
          </button>
        </p>
      </form>
      <LastRuns command={command} />
    </section>
  );
}

/** Lists the saved conversations, each of which can run after each save. */
function SavedConversations() {
  const names = inspector.conversations.value;
  if (names.length === 0) return null;
  return (
    <Section title="Conversations">
      {names.map((name) => (
        <p key={name} class="command-line">
          <code>conversations/{name}.txt</code>
          <Button onClick={() => inspector.act(() => runs.playSaved(name))}>
            Run on save<span class="visually-hidden"> ({name})</span>
          </Button>
        </p>
      ))}
    </Section>
  );
}

/** Lists the registered commands, each with a form, its last runs and their durations. */
export function CommandsTab() {
  const { world, place } = store;
  const { server } = place.value;
  if (server === null) return null;
  const commands = commandsIn(world.value, server);
  if (commands.length === 0)
    return <p class="inspector-empty">No bot in this server has registered commands.</p>;
  const nameable = nameableIn(server, world.value, []);
  return (
    <>
      <SavedConversations />
      {commands.map((command) => (
        <CommandCard key={command.id} command={command} nameable={nameable} />
      ))}
    </>
  );
}
