import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  METAPLEX_METADATA_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  USDC,
  VOTE_PROGRAM,
  WRAPPED_SOL,
} from '../../src/model/program.ts';
import { type Address, asAddress } from '../../src/model/units.ts';
import type { LookupTable } from '../chain/compile-message.ts';
import type { Keyring } from '../chain/keyring.ts';
import { JUPITER_EVENT_AUTHORITY, JUPITER_PROGRAM } from '../venues/jupiter-route.ts';
import { DLMM_EVENT_AUTHORITY, METEORA_DLMM_PROGRAM } from '../venues/meteora-dlmm-accounts.ts';
import { RENT_SYSVAR } from '../venues/pool-parts.ts';
import { FEE_RECIPIENTS, PUMP, PUMP_AMM, PUMP_FEES_PROGRAM } from '../venues/pump-program.ts';
import {
  RAYDIUM_AMM_V4_AUTHORITY,
  RAYDIUM_AMM_V4_PROGRAM,
} from '../venues/raydium-amm-v4-accounts.ts';
import {
  CPMM_CONFIG,
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_PROGRAM,
} from '../venues/raydium-cpmm-accounts.ts';

/** Programs built into the runtime. */
export const BUILTIN_PROGRAMS: readonly Address[] = [
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  VOTE_PROGRAM,
];

/** Deployed programs. */
export const DEPLOYED_PROGRAMS: readonly Address[] = [
  SPL_TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  METAPLEX_METADATA_PROGRAM,
  PUMP.program,
  PUMP_AMM.program,
  PUMP_FEES_PROGRAM,
  RAYDIUM_AMM_V4_PROGRAM,
  RAYDIUM_CPMM_PROGRAM,
  METEORA_DLMM_PROGRAM,
  JUPITER_PROGRAM,
];

/** Accounts used by transactions of all venues. */
const SHARED_ACCOUNTS: readonly Address[] = [
  RENT_SYSVAR,
  WRAPPED_SOL,
  USDC,
  PUMP.global,
  PUMP.eventAuthority,
  PUMP.mintAuthority,
  PUMP.globalVolume,
  PUMP.feeConfig,
  PUMP.buybackRecipient,
  PUMP_AMM.globalConfig,
  PUMP_AMM.eventAuthority,
  PUMP_AMM.globalVolume,
  PUMP_AMM.feeConfig,
  ...FEE_RECIPIENTS,
  RAYDIUM_AMM_V4_AUTHORITY,
  RAYDIUM_CPMM_AUTHORITY,
  CPMM_CONFIG.address,
  DLMM_EVENT_AUTHORITY,
  JUPITER_EVENT_AUTHORITY,
];

/**
 * The lookup table from which v0 messages load common programs and accounts: those that trading
 * terminals put into theirs to fit trades with pump's long account lists into a packet.
 */
export function commonLookupTables(keyring: Keyring): readonly LookupTable[] {
  const paid = [PUMP.buybackRecipient, ...FEE_RECIPIENTS];
  const wrappedSolAccounts = paid.map((owner) => keyring.tokenAccount(owner, WRAPPED_SOL));
  const entries = [
    ...[SYSTEM_PROGRAM, ...DEPLOYED_PROGRAMS],
    ...[...SHARED_ACCOUNTS, ...wrappedSolAccounts],
  ];
  return [{ address: keyring.account(), entries }];
}

/** Hot wallets of exchanges, as in public lists of labels. */
export const EXCHANGE_WALLETS: readonly Address[] = [
  '5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9',
  '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  '2ojv9BAiHUrvsm9gxDe7fJSzbNZSJcxZvf8dqmWGHG8S',
  'H8sMJSCQxfKiFTCfDR3DUMLPwcRbM61LGFJ8N4dK3WjS',
  'GJRs4FwHtemZ5ZE9x3FNvJ8TMwitKTh21yxdRPqn7npE',
  'AobVSwdW9BbpMdJvTqeCN4hPAmh4rHm7vwLnQ5ATSyrS',
].map((text) => asAddress(text));
