/** `npm run soak`: tests the client for minutes or hours, with faults. `-- --minutes 30`, `-- --signals`. */
import './require-node.mjs';
import { setUp } from './setup.mjs';

await setUp();
await import('../packages/bench/dist/bin/soak.js');
