import { render } from 'preact';
import './styles/main.css';
import { pressGlobalKey } from './ui/global-keys.js';
import { Root } from './ui/root.js';

const page = document.getElementById('page');
if (page !== null) render(<Root />, page);
window.addEventListener('keydown', pressGlobalKey);
