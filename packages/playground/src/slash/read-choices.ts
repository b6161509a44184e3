/**
 * Reads the choices of an option, and the one that is used if the option is omitted, from the end of its description, `Format (png|svg|webp, default png)`: the
 * platform has no field for them. A choice that was cut there is left out.
 */
export function readChoices(description: string) {
  const facts = /\(([^()]*\|[^()]*)\)$/.exec(description.trim())?.[1];
  if (facts === undefined) return { choices: [], defaultChoice: null };
  const [, list = facts, defaultChoice = null] = /^(.*), default ([^|]*)$/.exec(facts) ?? [];
  const choices = list
    .replace(/, (?:at (?:least|most) )?[\d-]+ values?$/, '')
    .split('|')
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '' && !choice.endsWith('…'));
  return { choices, defaultChoice };
}
