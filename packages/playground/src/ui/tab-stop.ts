import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** `true` if Tab stops at the elements of the row; `true` outside rows. */
export const TabStopContext = createContext(true);

/** Returns the `tabIndex` in a row. Only the current row has stops, so that 100 messages are not 100 stops. */
export function useTabIndex(): 0 | -1 {
  return useContext(TabStopContext) ? 0 : -1;
}
