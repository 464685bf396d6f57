import { startSearch } from './search.ts';
import { startThemeButton } from './theme-button.ts';

startThemeButton();
startSearch();
