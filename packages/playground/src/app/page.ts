import { startApp } from './app.js';

/** The parts of the page in this window, for the components. */
export const {
  actions,
  composer,
  inspector,
  isNarrow,
  listen,
  loader,
  navigation,
  reconnectNow,
  runs,
  settings,
  showMoment,
  store,
  theme,
} = startApp(window);
