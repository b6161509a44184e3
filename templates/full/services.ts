// Created once, before the first command. Every handler receives the object as `services`.
import { defineServices } from 'virgule';
import { createNotes } from './lib/notes.js';
import { createStoryteller } from './lib/storyteller.js';

const services = defineServices(({ clock }) => ({
  notes: createNotes(),
  storyteller: createStoryteller(clock),
  startedAtMs: clock.now(),
}));

export default services;

declare module 'virgule' {
  interface Register {
    services: typeof services;
  }
}
