// Created once, before the first command. Every handler receives the object as `services`.
import { defineServices } from 'virgule';
import { createNotes } from './lib/notes.js';
import { createStoryteller } from './lib/storyteller.js';

export default defineServices(({ clock }) => ({
  notes: createNotes(),
  storyteller: createStoryteller(clock),
  startedAtMs: clock.now(),
}));
