import { shortenAddress } from './texts.ts';

/** Names of the API in words of people: venues, terminals and kinds as `pump_amm`. */
const NAMES: Readonly<Record<string, string>> = {
  pump: 'Pump.fun',
  pump_amm: 'PumpSwap',
  raydium_amm_v4: 'Raydium V4',
  raydium_cpmm: 'Raydium CPMM',
  raydium_clmm: 'Raydium CLMM',
  raydium_launchlab: 'Raydium LaunchLab',
  meteora_dlmm: 'Meteora DLMM',
  meteora_damm_v1: 'Meteora DAMM',
  meteora_damm_v2: 'Meteora DAMM v2',
  meteora_dbc: 'Meteora DBC',
  orca_whirlpool: 'Orca Whirlpool',
  lp: 'LP',
  cex: 'Exchange',
  mev_searcher: 'MEV searcher',
  unknown: 'Not known',
};

const NAME_LENGTH_MAX = 30;

/** A name of the API as people write it; unknown ones with a capital and spaces. */
export function nameOf(word: string): string {
  // A program without a name is named by its address.
  if (word.length > NAME_LENGTH_MAX) return shortenAddress(word);
  const spaced = word.replaceAll('_', ' ');
  return NAMES[word] ?? `${spaced.slice(0, 1).toUpperCase()}${spaced.slice(1)}`;
}
