import type { Address } from './units.ts';

/** Programs the project decodes, by the name used in counters, on the wire and in file names. */
export type ProgramName =
  | Venue
  | 'spl_token'
  | 'token_2022'
  | 'associated_token'
  | 'system'
  | 'compute_budget'
  | 'metaplex_metadata';

/** Programs that own pools. */
export type Venue = 'pump' | 'pump_amm' | 'raydium_amm_v4' | 'raydium_cpmm' | 'raydium_clmm';

/** The venue's name in stream filters and snapshots (CONTRACT §3). */
export const DEX_NAME_OF_VENUE: Readonly<Record<Venue, string>> = {
  pump: 'PumpFun',
  pump_amm: 'PumpSwap',
  raydium_amm_v4: 'RaydiumV4',
  raydium_cpmm: 'RaydiumCPMM',
  raydium_clmm: 'RaydiumCLMM',
};

export const WRAPPED_SOL = 'So11111111111111111111111111111111111111112' as Address;
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
export const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address;

export const SPL_TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address;
export const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address;
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111' as Address;
export const METAPLEX_METADATA_PROGRAM = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s' as Address;
export const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111' as Address;
