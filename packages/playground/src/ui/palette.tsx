import { TABS } from '../app/inspector.js';
import { composer, inspector, navigation, store } from '../app/page.js';
import { commandsIn, commandWord } from '../state/bots.js';
import { actors, channelsOf } from '../state/place.js';
import { KEYS, openPalette, type KeyAction } from './global-keys.js';
import { Picker } from './picker.js';

/** Returns the commands and channels of the open server, the views, the users, and the actions of the page. */
function allActions(): readonly KeyAction[] {
  const { server } = store.place.value;
  const world = store.world.value;
  const entry = (label: string, keys: string, run: () => void): KeyAction => ({ label, keys, run });
  return [
    ...(server ? commandsIn(world, server) : []).map((command) => {
      const line = `/${commandWord(command)}`;
      return entry(`Run ${line}`, '', () => composer.peek()?.fill(`${line} `));
    }),
    ...(composer.peek()?.messages() ?? []).flatMap(({ name, message = '' }) => {
      const typed = message.slice(0, message.indexOf(name) + name.length);
      return message ? [entry(`Run ${typed}`, '', () => composer.peek()?.fill(`${typed} `))] : [];
    }),
    ...(server ? channelsOf(world, server.id).text : []).map(({ id, name, serverId }) =>
      entry(`Open #${name}`, '', () => navigation.openChannel(serverId, id)),
    ),
    ...TABS.map((tab) => entry(`Show ${tab}`, '', () => inspector.show(tab))),
    ...actors(world).map(({ username, displayName }) =>
      entry(`Act as ${displayName}`, '', () => navigation.actAs(username)),
    ),
    ...KEYS.filter(({ run }) => run),
  ];
}

/** Lists the actions of the page, or its keys. */
export function Palette() {
  const isHelp = openPalette.value === 'keys';
  return (
    <Picker
      label={isHelp ? 'Keys' : 'Run a command, open a channel'}
      find={(query) =>
        (isHelp ? KEYS.filter(({ keys }) => keys) : allActions())
          .filter(({ label }) => label.toLowerCase().includes(query))
          .map(({ label, keys, run }) => ({
            label,
            run,
            body: (
              <>
                <span class="menu-text">{label}</span>
                {keys !== '' && <kbd>{keys}</kbd>}
              </>
            ),
          }))
      }
      onClose={() => (openPalette.value = null)}
    />
  );
}
