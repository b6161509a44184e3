import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Whether Tab stops within the row that a component is in. Outside of rows it does. */
export const TabStopContext = createContext(true);

/**
 * The `tabIndex` of something within a row: only the row that Tab reaches lets Tab in, so that a
 * hundred messages are not a hundred stops.
 */
export function useTabIndex(): 0 | -1 {
  return useContext(TabStopContext) ? 0 : -1;
}
