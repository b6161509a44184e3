export { showControls, showOnOneLine, showOutput } from './text/show-controls.js';
