import type { CommandOption } from '@virgule/core/protocol';
import type { CommandLine } from '../slash/read-slash.js';
import { optionLabel } from '../slash/typed-line.js';
import { Icon } from './icon.js';
import { commandWord } from '../state/bots.js';

interface SignatureLineProps {
  readonly line: CommandLine;
  readonly refused: CommandOption | null;
}

function Option({
  option,
  state,
}: {
  readonly option: CommandOption;
  readonly state: 'current' | 'given' | 'open' | 'refused';
}) {
  return <span class={`signature-option signature-${state}`}>{optionLabel(option)}</span>;
}

/** Shows the options of a command in order, a description of the current one, and the line that will be sent. */
export function SignatureLine({ line, refused }: SignatureLineProps) {
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
          <Option key={option.name} option={option} state={stateOf(option)} />
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
