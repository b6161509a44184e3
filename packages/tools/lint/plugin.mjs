import { messageForm } from './message-form.mjs';
import { noExportStar } from './no-export-star.mjs';
import { oneDirection } from './one-direction.mjs';
import { outsideWorld } from './outside-world.mjs';
import { plainWords } from './plain-words.mjs';

export default {
  meta: { name: 'virgule' },
  rules: {
    'message-form': messageForm,
    'no-export-star': noExportStar,
    'one-direction': oneDirection,
    'outside-world': outsideWorld,
    'plain-words': plainWords,
  },
};
