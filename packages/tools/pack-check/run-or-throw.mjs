import { runCommand } from '../run-command.mjs';

/**
 * Runs a command. Resolves with its output, or throws an error with it.
 *
 * @param {readonly string[]} command
 * @param {Parameters<typeof runCommand>[1]} [options]
 */
export async function run(command, options) {
  const { ok, output } = await runCommand(command, options);
  if (!ok) throw new Error(`"${command.join(' ')}" failed\n${output.trim()}`);
  return output;
}

/**
 * @param {unknown} condition
 * @param {string} message
 */
export function expect(condition, message) {
  if (!condition) throw new Error(message);
}
