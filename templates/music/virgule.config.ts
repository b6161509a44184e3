import { voice } from '@virgule/voice';
import { defineConfig } from 'virgule';

// Adds `voice` to the context of handlers, and requests the events of voice channels.
export default defineConfig({ voice: voice() });
