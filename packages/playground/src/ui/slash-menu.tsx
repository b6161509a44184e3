import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CommandOption } from '@virgule/core/protocol';
import type { SimHandlerFile } from '@virgule/core/simulator-api';
import type { Composer } from '../app/composer.js';
import type { MenuItem } from '../app/composer-menu.js';
import { botName, commandWord } from '../state/bots.js';
import { optionLabel } from '../slash/typed-line.js';
import { store } from '../app/page.js';
import type { CommandLine } from '../slash/read-slash.js';
import { Icon } from './controls.js';

interface SignatureLineProps {
  readonly line: CommandLine;
  readonly refused: CommandOption | null;
}

/** Shows the options of a command in order, a description of the current option, and the line to send. */
function SignatureLine({ line, refused }: SignatureLineProps) {
  const { command, current, given, warning, rawInput } = line;
  const stateOf = (option: CommandOption) => {
    if (option === refused) return 'refused';
    if (option === current) return 'current';
    return given.some((value) => value.option === option) ? 'given' : 'open';
  };
  const note = refused === null ? warning : `${refused.name} is required`;
  return (
    <div class="signature">
      <p class="signature-line">
        <span class="signature-name">/{commandWord(command)}</span>
        {command.options.map((option) => (
          <span key={option.name} class={`signature-option signature-${stateOf(option)}`}>
            {optionLabel(option)}
          </span>
        ))}
      </p>
      <p class="signature-about">
        {current === null ? (
          command.description
        ) : (
          <>
            <strong>{current.name}</strong>: {current.type},{' '}
            {current.required ? 'required' : 'optional'} - {current.description}
          </>
        )}
      </p>
      {note !== null && (
        <p id="composer-note" class={refused === null ? 'signature-warning' : 'signature-refusal'}>
          <Icon name="alert" />
          {note}
          {refused !== null && (
            <span class="signature-anyway">
              <kbd>Ctrl</kbd> <kbd>Shift</kbd> <kbd>Enter</kbd> sends it anyway
            </span>
          )}
        </p>
      )}
      <p class="signature-raw">
        <span>sends</span> <code>{rawInput}</code>
      </p>
    </div>
  );
}

/** Returns the id of an item of the menu, for `aria-activedescendant`. */
export const menuItemId = (index: number): string => `slash-item-${index}`;

function ItemBody({ item: { kind, name, text, options } }: { readonly item: MenuItem }) {
  return (
    <>
      {name !== '' && (
        <span class="menu-name">
          {kind === 'nearest' && <span class="menu-lead">Did you mean </span>}
          {name}
        </span>
      )}
      <span class="menu-text">{text}</span>
      {options.length > 0 && (
        <span class="menu-chips">
          {options.map((option) => (
            <span
              key={option.name}
              class={option.required ? 'option-chip' : 'option-chip option-chip-optional'}
            >
              {optionLabel(option)}
            </span>
          ))}
        </span>
      )}
    </>
  );
}

function UnknownNote({ name, message }: Pick<SimHandlerFile, 'name' | 'message'>) {
  const { bots, commands } = store.world.value;
  const { server, channel } = store.place.value;
  const bot = botName(store.world.value);
  let text = `No command is named /${name}.`;
  if (message !== undefined) text = `Users send /${name} as a message: ${message}`;
  if (commands.length === 0 && bots.length === 1) text = `${bot} has no commands yet.`;
  if (channel?.visibleToBot === false)
    text = `${bots.length > 1 ? 'No bot sees' : `${bot} does not see`} #${channel.name}.`;
  if (server?.botIds.length === 0)
    text = `${bots.length > 1 ? 'No bot is' : `${bot} is not`} installed in ${server.name}.`;
  return <p class="menu-note">{text}</p>;
}

/** Shows commands, then the options of the selected command, and the line to send. */
export function SlashMenu({ composer }: { readonly composer: Composer }) {
  const line = composer.line.value;
  const items = composer.items.value;
  const chosen = composer.chosen.value;
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, items]);
  if (line === null || !composer.isMenuOpen.value) return null;
  return (
    <div class="slash-menu">
      {line.kind === 'unknown' && (
        <UnknownNote
          name={line.name}
          message={composer.messages().find(({ name }) => name === line.name)?.message}
        />
      )}
      {items.length > 0 && (
        <ul
          ref={list}
          id="slash-list"
          role="listbox"
          aria-label="Suggestions"
          // A list that scrolls must be reachable by keyboard; it handles the same keys as the text field.
          tabIndex={0}
          aria-activedescendant={chosen >= 0 ? menuItemId(chosen) : undefined}
          onKeyDown={(event) => {
            if (!composer.press(event)) return;
            event.preventDefault();
            document.getElementById('composer')?.focus();
          }}
        >
          {items.map((item, index) => (
            <li
              key={item.key}
              id={menuItemId(index)}
              role="option"
              aria-selected={index === chosen}
              // Prevents the text field from losing the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => composer.accept(item)}
            >
              <ItemBody item={item} />
            </li>
          ))}
        </ul>
      )}
      {line.kind === 'command' && <SignatureLine line={line} refused={composer.refused.value} />}
      {line.kind === 'naming' && items[chosen]?.kind === 'command' && (
        <p class="menu-keys">
          <kbd>Tab</kbd> completes <kbd>Enter</kbd> runs a complete line <kbd>Esc</kbd> closes
        </p>
      )}
    </div>
  );
}
