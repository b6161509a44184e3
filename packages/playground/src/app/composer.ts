import { batch, computed, signal } from '@preact/signals';
import type { CommandOption } from '@virgule/core/protocol';
import {
  nameableIn,
  resolveMentions,
  showMentions,
  type SimHandlerFile,
  type SimMessage,
  type SimServer,
} from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import { asWord } from '../slash/option-values.js';
import { readSlash, toRawInput, type CommandLine } from '../slash/read-slash.js';
import { MAX_CONTENT_LENGTH, contentLength } from '../state/content-length.js';
import { readSent, writeSent, type TextStorage } from '../state/stored-text.js';
import type { Actions, Writer } from './actions.js';
import { filesOf, withFile } from './command-files.js';
import { createComposerFiles } from './composer-files.js';
import { pressKey, type Key } from './composer-keys.js';
import { describeChoice, firstChoice, menuItems, type MenuItem } from './composer-menu.js';
import type { Store } from './store.js';
import { commandsIn } from '../state/bots.js';

/** Use of the text in the composer: a new message, a reply, or a replacement of a message. */
type ComposerMode =
  | { readonly kind: 'new' }
  | { readonly kind: 'reply' | 'edit'; readonly message: SimMessage };

export interface ComposerOptions extends Writer {
  readonly store: Store;
  readonly actions: Actions;
  readonly server: SimServer;
  /** Returns the commands that messages run. */
  readonly messages: () => readonly SimHandlerFile[];
  readonly chooseFiles: () => void;
  /** Storage of unsent text. */
  readonly drafts: TextStorage;
  /** Storage of sent lines. */
  readonly settings: TextStorage;
}

export type Composer = ReturnType<typeof createComposer>;

const NEW: ComposerMode = { kind: 'new' };

/** Creates the state of the composer of a channel and a user; the text field is a component. */
export function createComposer(options: ComposerOptions) {
  const { store, actions, channel, user, drafts, settings } = options;
  const draftKey = `virgule.draft.${channel.id}.${user.id}`;
  const readDraft = () => drafts.getItem(draftKey) ?? '';
  const text = signal(readDraft());
  const caret = signal(text.peek().length);
  /** Number of changes from outside the text field: after such a change, the caret of the field must be set. */
  const revision = signal(0);
  const mode = signal<ComposerMode>(NEW);
  const isDismissed = signal(false);
  /** The missing required option that prevented Enter from sending the line. */
  const refused = signal<CommandOption | null>(null);
  const moved = signal<number | null>(null);
  /** Position of the text in the sent lines, counted backwards; 0 if the text is not a sent line. */
  let recalled = 0;

  const files = createComposerFiles(() => store.world.peek().profile);
  // Bots, users and channels can change while a line is typed.
  const server = computed(
    () => store.world.value.servers.find(({ id }) => id === options.server.id) ?? options.server,
  );
  const nameable = computed(() => ({
    ...nameableIn(server.value, store.world.value),
    files: files.list.value.map(({ name, source }) => ({ name, size: source.size })),
  }));
  const commands = computed(() => {
    const world = store.world.value;
    const isVisible = world.channels.some(
      ({ id, visibleToBot }) => id === channel.id && visibleToBot,
    );
    return isVisible ? commandsIn(world, server.value) : [];
  });
  const lineInput = (value: string, at: number) => ({
    text: value,
    caret: at,
    commands: commands.value,
    messages: options.messages(),
    nameable: nameable.value,
  });
  const line = computed(() =>
    mode.value.kind === 'edit' ? null : readSlash(lineInput(text.value, caret.value)),
  );
  const items = computed(() => menuItems(line.value));
  const isMenuOpen = computed(() => line.value !== null && !isDismissed.value);
  /** Index of the selected item, or -1. */
  const chosen = computed(() =>
    isMenuOpen.value
      ? Math.min(moved.value ?? firstChoice(line.value), items.value.length - 1)
      : -1,
  );
  /** Length of the content to send, in the unit of the platform. */
  const length = computed(() => {
    const content = resolveMentions(text.value.trimEnd(), nameable.value);
    return contentLength(content, store.world.value.profile?.contentUnit);
  });
  const isTooLong = computed(() => {
    const isCommand = ['naming', 'command'].includes(line.value?.kind ?? '');
    return !isCommand && length.value > MAX_CONTENT_LENGTH;
  });
  const unusedFiles = computed(() => {
    const isUsed = withFile(text.value, line.value, files.list.value) !== text.value;
    return filesOf(line.value, files.list.value, false).slice(isUsed ? 1 : 0);
  });
  const canSubmit = computed(() => {
    return (text.value.trim() !== '' || files.list.value.length > 0) && !isTooLong.value;
  });

  const setText = (value: string, at: number) => {
    batch(() => {
      text.value = value;
      caret.value = at;
      isDismissed.value = false;
      refused.value = null;
      moved.value = null;
    });
    if (mode.peek().kind !== 'edit') drafts.setItem(draftKey, value);
  };
  const setFromOutside = (value: string, at = value.length) => {
    recalled = 0;
    setText(value, at);
    revision.value += 1;
  };
  const writer = { channel, user };

  const sent = (typed: string) => {
    if (typed !== '') writeSent(settings, user.id, typed);
    mode.value = NEW;
    setFromOutside('');
  };
  const sendText = () => {
    const typed = text.peek().trimEnd();
    const current = mode.peek();
    const attached = current.kind === 'edit' ? [] : files.list.peek();
    if (typed.trim() === '' && attached.length === 0) return;
    if (length.peek() > MAX_CONTENT_LENGTH) return;
    const content = resolveMentions(typed, nameable.peek());
    if (current.kind === 'edit') {
      const { id } = current.message;
      actions.act('Editing the message', user, 'edit', { message: id, content });
      composer.cancelMode();
      return;
    }
    const replyTo = current.kind === 'reply' ? current.message : null;
    actions.sendMessage(writer, { content, replyTo, files: attached });
    files.remove(attached);
    sent(typed);
  };
  const refuse = (option: CommandOption) => {
    if (!/\s/.test(text.peek())) setFromOutside(`${text.peek()} `);
    refused.value = option;
    isDismissed.value = false;
    store.spoken.value = `${option.name} is required`;
  };
  const runLine = ({ command, given, rawInput }: CommandLine) => {
    const used = filesOf(line.peek(), files.list.peek(), true);
    const [typed, known] = [text.peek(), nameable.peek()];
    const withFiles = async () => {
      const uploaded = await actions.uploadAll(writer, used);
      const lineToSend = toRawInput(typed, given, { ...known, files: uploaded });
      // A recalled line needs the URL, because its file is removed.
      writeSent(settings, user.id, lineToSend);
      return lineToSend;
    };
    const hasFiles = used.length > 0;
    actions.runCommand(writer, command, rawInput, undefined, hasFiles ? withFiles : undefined);
    sent(hasFiles ? '' : typed.trimEnd());
    files.remove(used);
  };
  /** Sends the text. `anyway` skips the check for required options. */
  const submit = (anyway = false) => {
    const isEdit = mode.peek().kind === 'edit';
    // The caret is after the name, so that a complete name counts as a command, not as a name that is being typed.
    const typed = /\s/.test(text.peek()) ? text.peek() : `${text.peek()} `;
    const read = (of: string) => (isEdit ? null : readSlash(lineInput(of, of.length)));
    const filled = withFile(typed, read(typed), files.list.peek());
    if (filled !== typed) setFromOutside(filled);
    const entered = read(filled);
    if (entered?.kind !== 'command') return sendText();
    const [missing] = entered.missing;
    if (missing === undefined || anyway) runLine(entered);
    else refuse(missing);
  };
  const insertValue = (word: string) => {
    const current = line.peek();
    if (!current || !('replaces' in current)) return;
    const { start, end } = current.replaces;
    const before = text.peek().slice(0, start) + word;
    const after = text.peek().slice(end);
    setFromOutside(before + after.replace(/^(?!\s)/, ' '), before.length + 1);
  };
  const accept = ({ kind, insert }: MenuItem) => {
    if (kind === 'as-text') sendText();
    else if (kind === 'choose-file') options.chooseFiles();
    else if (kind === 'value') insertValue(insert);
    else setFromOutside(insert + (kind === 'nearest' ? text.peek().replace(/^\/\S*\s*/, '') : ''));
  };
  const move = (step: number) => {
    const count = items.peek().length;
    const from = chosen.peek();
    moved.value = from === -1 ? (step > 0 ? 0 : count - 1) : (from + step + count) % count;
    store.spoken.value = describeChoice(items.peek(), chosen.peek());
  };
  const recall = (step: number) => {
    const lines = readSent(settings, user.id);
    const next = recalled + step;
    if (next < 0 || next > lines.length) return;
    setFromOutside(next === 0 ? '' : (lines.at(-next) ?? ''));
    // The menu of a recalled line would handle the arrow keys.
    isDismissed.value = true;
    recalled = next;
  };

  const composer = {
    text,
    caret,
    revision,
    mode,
    line,
    isMenuOpen,
    items,
    chosen,
    refused,
    length,
    isTooLong,
    files,
    unusedFiles,
    canSubmit,
    /** Adds files to the message; if an option at the caret takes a file, the first file becomes its value. */
    attach(sources: readonly File[]) {
      if (mode.peek().kind === 'edit') {
        files.refusal.value = 'Files cannot be added to a message that is already sent.';
      } else {
        const current = line.peek();
        const [first] = files.add(sources);
        if (first !== undefined && current?.kind === 'command' && current.takesFile)
          insertValue(asWord(first.name));
      }
      revision.value += 1;
      store.spoken.value =
        files.refusal.peek() ?? `${countOf(files.list.peek().length, 'file')} attached`;
    },
    type(value: string, at: number) {
      recalled = 0;
      setText(value, at);
      if (line.peek()?.kind === 'naming')
        store.spoken.value = describeChoice(items.peek(), chosen.peek());
    },
    moveCaret: (at: number) => (caret.value = at),
    fill: (value: string) => setFromOutside(value),
    accept,
    reply(message: SimMessage) {
      if (mode.peek().kind === 'edit') composer.cancelMode();
      mode.value = { kind: 'reply', message };
      revision.value += 1;
    },
    edit(message: SimMessage) {
      mode.value = { kind: 'edit', message };
      setFromOutside(showMentions(message.content, nameable.peek()));
    },
    cancelMode() {
      const wasEdit = mode.peek().kind === 'edit';
      mode.value = NEW;
      if (wasEdit) setFromOutside(readDraft());
    },
    submit,
    messages: options.messages,
    press: (key: Key): boolean => pressKey(composer, key),
    move,
    /** Goes back (1) or forward (-1) in the sent lines. */
    recall,
    editLast() {
      const { messages } = store.openLog.peek();
      const own = messages.findLast((each) => each.authorId === user.id && !each.isDeleted);
      if (own !== undefined) composer.edit(own);
    },
    /** Returns whether the text is an unchanged sent line. */
    isRecalled: () => recalled > 0,
    /** Closes the menu until the text changes. */
    dismiss() {
      isDismissed.value = true;
      refused.value = null;
    },
  };
  return composer;
}
