import { ASSUMPTIONS, DEFAULT_PROFILE } from '@virgule/core/protocol';

export interface AssumptionRow {
  readonly name: string;
  readonly assumed: string;
  readonly value: string;
}

declare const data: readonly AssumptionRow[];
export { data };

/** The table of assumptions, from the package that defines them. */
export default {
  load(): readonly AssumptionRow[] {
    const values: Readonly<Record<string, unknown>> = { ...DEFAULT_PROFILE };
    return Object.entries(ASSUMPTIONS).map(([name, assumed]) => ({
      name,
      assumed,
      value: JSON.stringify(values[name]),
    }));
  },
};
