import { useSignal } from '@preact/signals';
import type { CommandOption } from '@virgule/core/protocol';
import { countOf } from '@virgule/core/text';
import { nameableIn, suggestValues, type Nameable } from '../slash/option-values.js';
import { commandsIn, commandWord, type ServerCommand } from '../state/bots.js';
import { formatClock } from '../state/format.js';
import { lineOfForm } from '../state/line-of-form.js';
import { shownLine } from '../state/shown-line.js';
import { statsKey, type CommandStats } from '../state/trace-stats.js';
import { shortDuration } from '../state/trace-text.js';
import { inspector, runs, store } from '../app/page.js';
import { Button, Section } from './controls.js';
import { Form, type FormField, type FormValues } from './form.js';

/** Maximum number of runs in the list of a command. */
const MAX_RUNS = 5;

function fieldOf(option: CommandOption, nameable: Nameable): FormField {
  const { name, description, type, required } = option;
  const field = { name, label: name, note: description, isOptional: !required };
  if (type === 'boolean')
    return { ...field, choices: { '': required ? 'choose' : 'not set', yes: 'yes', no: 'no' } };
  return {
    ...field,
    suggestions: suggestValues(option, '', nameable),
    placeholder: type,
    isNumber: type === 'integer' || type === 'number',
  };
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
            <time dateTime={createdAt}>{formatClock(Date.parse(createdAt))}</time>
            <code>{rawInput}</code>
            <span class={hasFailed || state === 'expired' ? 'command-failed' : 'note'}>
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
  const values = useSignal<FormValues>({});
  const word = commandWord(command);
  const { bots } = store.world.value;
  // `virgule dev` knows only the files of the first bot.
  const isFirst = bots[0]?.botUserId === command.botUserId;
  const bot = bots.find(({ botUserId }) => botUserId === command.botUserId);
  const stats = inspector.trace.stats.value.get(statsKey(bot?.username, command.name));
  const file = isFirst ? inspector.shown.value.files?.get(command.name) : undefined;
  const line = lineOfForm(command, values.value, nameable);
  return (
    <Section title={`/${word}`} name={`Command /${word}`} note={stats && describeStats(stats)}>
      <p class="note">{command.description}</p>
      {file !== undefined && (
        <p class="note">
          <code>{file}</code>
        </p>
      )}
      <Form
        fields={command.options.map((option) => fieldOf(option, nameable))}
        values={values}
        submit="Run"
        of={` /${word}`}
        onSubmit={() => runs.again(line)}
        before={<code>{shownLine(line, store.world.value)}</code>}
      />
      <LastRuns command={command} />
    </Section>
  );
}

/** Lists the saved conversations, each of which can run after each save. */
function SavedConversations() {
  const names = inspector.shown.value.conversations ?? [];
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

/** Lists the commands that users send as messages. */
function MessageCommands() {
  const { messages = [] } = inspector.shown.value;
  if (messages.length === 0) return null;
  return (
    <Section title="By message">
      {messages.map(({ name, message, file }) => (
        <p key={name} class="command-line">
          <code>{message}</code> <span class="note">{file}</span>
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
  const { messages = [] } = inspector.shown.value;
  if (commands.length === 0 && messages.length === 0)
    return <p class="empty">No bot in this server has registered commands.</p>;
  const nameable = nameableIn(server, world.value, []);
  return (
    <>
      <SavedConversations />
      <MessageCommands />
      {commands.map((command) => (
        <CommandCard key={command.id} command={command} nameable={nameable} />
      ))}
    </>
  );
}
