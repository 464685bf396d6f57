import { render } from 'preact';
import { followLinks } from './state/router.ts';
import { openSession } from './state/session.ts';
import { applyTheme } from './state/theme.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/elements.css';
import './styles/token-picture.css';
import './styles/forms.css';
import './styles/charts.css';
import './styles/table.css';
import { App } from './app.tsx';

applyTheme();
followLinks();
void openSession();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
