import { render } from 'preact';
import { startApp } from './app/app.js';
import './styles/main.css';
import { Root } from './ui/root.js';

const page = document.getElementById('page');
if (page !== null) render(<Root app={startApp(window)} />, page);
