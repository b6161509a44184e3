import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** `true` if Tab stops at the elements of the row; `true` outside rows. */
export const TabStopContext = createContext(true);

/**
 * Returns the `tabIndex` of an element in a row. Tab stops only at the elements of the current row, so that
 * a hundred messages are not a hundred stops.
 */
export function useTabIndex(): 0 | -1 {
  return useContext(TabStopContext) ? 0 : -1;
}
