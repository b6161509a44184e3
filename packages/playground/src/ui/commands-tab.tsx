import { signal, useSignal } from '@preact/signals';
import { nameableIn } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import type { Nameable } from '../slash/option-values.js';
import { commandsIn, commandWord, type ServerCommand } from '../state/bots.js';
import { fieldOfOption, givenValues, type FormValues } from '../state/form-fields.js';
import { formatClock, formatDuration } from '../state/format.js';
import { lineOfForm } from '../state/line-of-form.js';
import { shownLine } from '../state/shown-line.js';
import { commandKey } from '../state/trace-groups.js';
import type { CommandRun } from '../state/trace-stats.js';
import { composer, inspector, runs, store } from '../app/page.js';
import { CopyButton } from './copy-button.js';
import { Button, Empty, Entry, Icon, SearchField, Section, TextButton } from './controls.js';
import { Form } from './form.js';
import { SourceText } from './code-block.js';

/** Maximum number of runs of a command that are shown. */
const MAX_RUNS = 10;

const query = signal('');
/** Word of the command whose form is shown. */
const openWord = signal('');

interface CommandProps {
  readonly command: ServerCommand;
  readonly nameable: Nameable;
  readonly file: string | undefined;
  /** Last runs, the oldest first. */
  readonly recent: readonly CommandRun[];
}

/** Shows the duration of each run as a bar; the bars of failed runs are hollow. */
function Sparkline({ recent }: Pick<CommandProps, 'recent'>) {
  const longestMs = Math.max(1, ...recent.map(({ tookMs }) => tookMs ?? 0));
  const failed = recent.filter(({ hasFailed }) => hasFailed).length;
  const label = `Durations of the last ${countOf(recent.length, 'run')}, ${failed} failed`;
  return (
    <span class="spark" role="img" aria-label={label}>
      {recent.map(({ id, tookMs, hasFailed }) => {
        const height = `${((tookMs ?? 0) / longestMs) * 100}%`;
        return <i key={id} class={hasFailed ? 'failed' : ''} style={{ height }} />;
      })}
    </span>
  );
}

function LastRuns({ command, recent }: CommandProps) {
  if (recent.length === 0) return null;
  return (
    <ul aria-label={`Last runs of /${commandWord(command)}`}>
      {recent.toReversed().map(({ id, line, startMs, tookMs, hasFailed }) => (
        <li key={id}>
          <Entry
            class={`entry flow ${hasFailed ? 'failed' : 'done'}`}
            onClick={() => inspector.explain(id)}
          >
            <Icon name={hasFailed ? 'failed' : 'check'} />
            <time dateTime={new Date(startMs).toISOString()}>{formatClock(startMs)}</time>
            <code class="cut">{shownLine(line, store.names.value)}</code>
            {hasFailed && 'failed'}
            <span class="note">{tookMs !== null && formatDuration(tookMs)}</span>
          </Entry>
        </li>
      ))}
    </ul>
  );
}

function CommandForm(props: CommandProps) {
  const { command, nameable, file } = props;
  const values = useSignal<FormValues>({});
  const fields = command.options.map((option) => fieldOfOption(option, nameable));
  const line = lineOfForm(command, givenValues(fields, values.value), nameable);
  const submit = (
    <>
      Run as {store.place.value.user?.displayName} <kbd>Ctrl ↵</kbd>
    </>
  );
  return (
    <div class="stack command-body">
      {file !== undefined && (
        <code class="note">
          <SourceText text={file} />
        </code>
      )}
      <Form
        fields={fields}
        values={values}
        submit={submit}
        onSubmit={() => runs.again(line)}
        before={
          <div class="section flow">
            <code>{shownLine(line, store.names.value)}</code>
            <CopyButton label="Copy" name="the line" text={() => line} />
          </div>
        }
      >
        <TextButton onClick={() => composer.peek()?.fill(line)}>To composer</TextButton>
        <TextButton onClick={() => runs.pinLine(line)}>Run on save</TextButton>
      </Form>
      <LastRuns {...props} />
    </div>
  );
}

function CommandItem(props: CommandProps) {
  const { command, recent } = props;
  const word = commandWord(command);
  const isOpen = openWord.value === word;
  const tookMs = recent.at(-1)?.tookMs;
  return (
    <li>
      <Entry aria-expanded={isOpen} onClick={() => (openWord.value = isOpen ? '' : word)}>
        <Icon name="chevron" />
        <span class="cut">
          <strong>
            <code>/{word}</code>
          </strong>
          <br />
          <span class="note">{command.description}</span>
        </span>
        {recent.length > 1 && <Sparkline recent={recent} />}
        <span class="note">
          {typeof tookMs === 'number' ? formatDuration(tookMs) : recent.length === 0 && 'no runs'}
        </span>
      </Entry>
      {isOpen && <CommandForm {...props} />}
    </li>
  );
}

/**
 * Lists the registered commands, each with its last runs and a form, the commands that users send as messages, and the saved
 * conversations, which can run after each save.
 */
export function CommandsTab() {
  const { world, place } = store;
  const { server } = place.value;
  if (server === null) return null;
  const commands = commandsIn(world.value, server);
  const { messages = [], conversations = [], files } = inspector.shown.value;
  if (commands.length === 0 && messages.length === 0)
    return (
      <Empty icon="commands" title="No commands">
        Save a file in <code>commands/</code>, or install a bot in this server.
      </Empty>
    );
  const nameable = { ...nameableIn(server, world.value), files: [] };
  const { bots } = world.value;
  const wanted = query.value.trim().toLowerCase();
  const items = commands.map((command) => {
    const bot = bots.find(({ botUserId }) => botUserId === command.botUserId);
    const recent =
      inspector.trace.commandRuns.value.get(commandKey(bot?.username, command.name)) ?? [];
    // `virgule dev` knows only the files of the first bot.
    const file = bot === bots[0] ? files?.get(command.name) : undefined;
    return { command, nameable, file, recent: recent.slice(-MAX_RUNS) };
  });
  const isFound = (...texts: readonly (string | undefined)[]) =>
    texts.some((text) => text?.toLowerCase().includes(wanted));
  const found = items.filter(({ command: { name, description, options }, file }) =>
    isFound(name, description, file, ...options.map((option) => option.name)),
  );
  const typed = messages.filter(({ message, about, file }) => isFound(message, about, file));
  return (
    <>
      <SearchField label="Search by name, file or option" text={query} />
      <ul class="section commands">
        {found.map((item) => (
          <CommandItem key={item.command.id} {...item} />
        ))}
      </ul>
      {found.length + typed.length === 0 && (
        <Empty icon="search" title={`No command matches “${query.value}”`} />
      )}
      {typed.length > 0 && (
        <Section title="By message">
          {typed.map(({ name, message, about, file }) => (
            <p key={name} class="flow">
              <code>{message}</code> {about} <span class="note">{file}</span>
            </p>
          ))}
        </Section>
      )}
      {conversations.length > 0 && (
        <Section title="Conversations">
          {conversations.map((name) => (
            <p key={name} class="flow">
              <code>conversations/{name}.txt</code>
              <span class="spacer" />
              <Button onClick={() => inspector.act(() => runs.playSaved(name))}>
                Run on save<span class="visually-hidden"> ({name})</span>
              </Button>
            </p>
          ))}
        </Section>
      )}
    </>
  );
}
