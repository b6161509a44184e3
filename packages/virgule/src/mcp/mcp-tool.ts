import type { Clock } from '@virgule/core/clock';
import type * as z from 'zod';
import type { SimControl } from '../trigger/sim-control.js';

/** What a tool works on. */
export interface McpContext {
  /**
   * The simulator of the running `virgule dev`. It is looked for each time: `dev` may have been started since.
   *
   * @throws VirguleError `E_SIM_NOT_RUNNING`.
   */
  readonly control: SimControl;
  readonly clock: Clock;
  /** Returns the plan of `virgule deploy --dry-run --json`. */
  readonly planDeploy: () => Promise<unknown>;
}

/** A tool that a coding agent calls. */
export interface McpTool {
  readonly name: string;
  /** For the agent: what it does, and when to use it. */
  readonly description: string;
  readonly input: z.ZodType;
  /** Whether it changes nothing. */
  readonly isReading: boolean;
  run(input: unknown, context: McpContext): Promise<unknown>;
}

/** Creates a tool whose `run` receives what its schema returns. */
export function defineTool<Schema extends z.ZodType>(tool: {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  readonly isReading?: boolean;
  readonly run: (input: z.output<Schema>, context: McpContext) => Promise<unknown>;
}): McpTool {
  const { isReading = false, input, run } = tool;
  return {
    ...tool,
    isReading,
    run: async (value, context) => run(await input.parseAsync(value), context),
  };
}
