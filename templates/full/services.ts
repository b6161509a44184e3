// Made once, before the first command; every handler gets them as `services`.
import { defineServices } from 'virgule';
import { createNotes } from './lib/notes.js';
import { createStoryteller } from './lib/storyteller.js';

const services = defineServices(({ clock }) => ({
  notes: createNotes(),
  storyteller: createStoryteller(clock),
}));

export default services;

declare module 'virgule' {
  interface Register {
    services: typeof services;
  }
}
