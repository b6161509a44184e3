import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { App } from '../app/app.js';

export const AppContext = createContext<App | null>(null);

/** Returns the app of the component. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error('useApp was called outside <AppContext.Provider>.');
  return app;
}
