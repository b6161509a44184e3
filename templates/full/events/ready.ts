// Events of the framework have files too: ready, reconnect, gap, error, shutdown.
import { defineEvent } from 'virgule';

export default defineEvent('ready', ({ data, log }) => {
  log.info({ servers: data.serverIds.length }, 'bot serves its servers');
});
