import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { App } from '../app/app.js';

export const AppContext = createContext<App | null>(null);

/** The app that the components belong to. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error('A component is drawn outside of <AppContext.Provider>');
  return app;
}
