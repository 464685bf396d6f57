import { asAddress } from './units.ts';

/**
 * Programs that the project decodes, by the name used in counters, on the wire and in file names.
 */
export type ProgramName =
  | Venue
  | RouterName
  | LockerName
  | 'spl_token'
  | 'token_2022'
  | 'associated_token'
  | 'system'
  | 'compute_budget'
  | 'stake'
  | 'metaplex_metadata';

/** Programs that hold tokens for their owners until a given time, or permanently. */
export type LockerName = 'streamflow' | 'raydium_lock' | 'jupiter_lock';

/**
 * Programs that call other programs' pools for a user. A program without a public name is named by
 * the first six characters of its address.
 */
export type RouterName =
  | 'jupiter_v2'
  | 'jupiter_v3'
  | 'jupiter_v4'
  | 'jupiter_v6'
  | 'jupiter_dca'
  | 'jupiter_limit_v1'
  | 'jupiter_limit_v2'
  | 'jupiter_value_average'
  | 'okx_dex'
  | 'okx_dex_v2'
  | 'dflow'
  | 'titan'
  | 'raydium_route'
  | 'sanctum_router'
  | 'pump_router'
  | 'pump_app'
  | 'jupiter_z'
  | 'binance_wallet'
  | 'byreal_router'
  | 'nina'
  | 'photon'
  | 'axiom'
  | 'bloom'
  | 'padre'
  | 'trojan'
  | 'gmgn_v1'
  | 'gmgn_v2'
  | 'banana_gun'
  | 'nova'
  | 'program_9gcbb4'
  | 'program_bxp3bj'
  | 'program_hqsqog'
  | 'program_mtvwnh';

/**
 * Programs that own pools, with the name of each in stream filters and snapshots (CONTRACT §3).
 * Venues that the contract does not list are named in the same style; one without a public name is
 * named by the first six characters of its program's address. `inferred` stands for every program
 * without a decoder whose transfers show a swap.
 */
export const DEX_NAME_OF_VENUE = {
  pump: 'PumpFun',
  pump_amm: 'PumpSwap',
  raydium_amm_v4: 'RaydiumV4',
  raydium_cpmm: 'RaydiumCPMM',
  raydium_clmm: 'RaydiumCLMM',
  raydium_launchlab: 'RaydiumLaunchLab',
  meteora_dlmm: 'MeteoraDLMM',
  meteora_damm_v1: 'MeteoraDAMM',
  meteora_damm_v2: 'MeteoraDAMMv2',
  meteora_dbc: 'MeteoraDBC',
  orca_whirlpool: 'OrcaWhirlpool',
  orca_v1: 'OrcaV1',
  orca_v2: 'OrcaV2',
  phoenix: 'Phoenix',
  serum_v3: 'SerumV3',
  openbook_v1: 'OpenBookV1',
  openbook_v2: 'OpenBookV2',
  lifinity_v1: 'LifinityV1',
  lifinity_v2: 'LifinityV2',
  moonshot: 'Moonshot',
  boop: 'Boop',
  heaven: 'Heaven',
  fluxbeam: 'Fluxbeam',
  saber: 'Saber',
  saros: 'Saros',
  mercurial: 'Mercurial',
  invariant: 'Invariant',
  solfi: 'SolFi',
  zerofi: 'ZeroFi',
  obric_v2: 'ObricV2',
  humidifi: 'HumidiFi',
  tessera: 'Tessera',
  goonfi: 'GoonFi',
  pancakeswap_clmm: 'PancakeSwapCLMM',
  byreal_clmm: 'ByrealCLMM',
  solfi_v2: 'SolFiV2',
  bisonfi: 'BisonFi',
  goonfi_v2: 'GoonFiV2',
  alphaq: 'AlphaQ',
  kipseli: 'Kipseli',
  flux: 'Flux',
  scorch: 'Scorch',
  obsidian: 'Obsidian',
  deriverse: 'Deriverse',
  aquifer: 'Aquifer',
  exa6gy: 'ExA6GY',
  manifest: 'Manifest',
  fusion: 'Fusion',
  stabble_stable: 'StabbleStable',
  stabble_weighted: 'StabbleWeighted',
  onedex: 'OneDex',
  aldrin_v1: 'AldrinV1',
  aldrin_v2: 'AldrinV2',
  gamma: 'GAMMA',
  raydium_stable: 'RaydiumStable',
  raydium_cpmm_clone: 'RaydiumCPMMClone',
  cropper: 'Cropper',
  cropper_clmm: 'CropperCLMM',
  futarchy: 'Futarchy',
  inferred: 'Inferred',
} as const;

export type Venue = keyof typeof DEX_NAME_OF_VENUE;

export function isVenue(name: ProgramName): name is Venue {
  return Object.hasOwn(DEX_NAME_OF_VENUE, name);
}

export const WRAPPED_SOL = asAddress('So11111111111111111111111111111111111111112');
export const USDC = asAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
export const USDT = asAddress('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB');

export const SPL_TOKEN_PROGRAM = asAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = asAddress('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const ASSOCIATED_TOKEN_PROGRAM = asAddress('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const SYSTEM_PROGRAM = asAddress('11111111111111111111111111111111');
export const STAKE_PROGRAM = asAddress('Stake11111111111111111111111111111111111111');
export const COMPUTE_BUDGET_PROGRAM = asAddress('ComputeBudget111111111111111111111111111111');
export const METAPLEX_METADATA_PROGRAM = asAddress('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
export const VOTE_PROGRAM = asAddress('Vote111111111111111111111111111111111111111');
