import { isRecord } from '@virgule/core/objects';
import type { SimOutcome } from '@virgule/core/simulator-api';
import { listOf, showControls, showOnOneLine } from '@virgule/core/text';
import { SimFile } from '@virgule/simulator/control';

/** Returns the result of an action for people: the messages of the bot, a file, or JSON. */
export function resultText(result: unknown): string {
  if (result instanceof SimFile && /^text|json/.test(result.contentType))
    return result.bytes.toString();
  if (isOutcome(result)) return outcomeText(result);
  return `${showControls(JSON.stringify(result, null, 2), '')}\n`;
}

const isOutcome = (result: unknown): result is SimOutcome =>
  isRecord(result) && 'received' in result && 'replies' in result;

function outcomeText(outcome: SimOutcome): string {
  const { received, replies, trace, note, interaction, handlers } = outcome;
  const lines = replies.map(({ content }) => showControls(content, ''));
  if (!received && (note === undefined || interaction))
    lines.push(
      'No bot received it: it is not connected, does not see the channel, or has no file in events/ for it.',
    );
  else if (received && replies.length === 0) {
    // The option `when` of a handler may have ignored it.
    const what = handlers?.length ? `${listOf(handlers)} may have handled` : 'The bot received';
    const hint = handlers?.length === 0 ? ' No file in events/ or tasks/ handles it.' : '';
    lines.push(`${what} it, and wrote no message.${hint}`);
  }
  for (const { isError, what } of trace) if (isError) lines.push(`! ${showOnOneLine(what)}`);
  if (interaction?.state === 'expired') lines.push('The command expired.');
  if (note !== undefined) lines.push(note);
  return lines.map((line) => `${line}\n`).join('');
}
