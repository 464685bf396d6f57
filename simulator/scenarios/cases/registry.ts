import { exchangeFunded } from './exchange-funded.ts';
import { oneUseChains } from './one-use-chains.ts';
import type { ScenarioCase } from './scenario-case.ts';
import { terminalSpread } from './terminal-spread.ts';

/** All cases by name: `npm run quality:fraud -- --cases` plays each. */
export const CASES: Readonly<Record<string, ScenarioCase>> = {
  'exchange-funded': exchangeFunded,
  'terminal-spread': terminalSpread,
  'one-use-chains': oneUseChains,
};
