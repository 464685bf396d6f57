import {
  METAPLEX_METADATA_PROGRAM,
  SPL_TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  WRAPPED_SOL,
} from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { bytesOf, type Keyring } from '../chain/keyring.ts';
import type { PlannedLaunch, TokenText, VenueContext } from './launchpad.ts';
import { poolAddresses } from './pump-amm-accounts.ts';
import { PumpAmmPool } from './pump-amm-pool.ts';
import { createClassic, createToken2022 } from './pump-create.ts';
import { PumpCurve } from './pump-curve.ts';
import { migrateCurve } from './pump-migrate.ts';
import { PUMP } from './pump-program.ts';

export interface PumpLaunchOptions {
  /** `create` with a classic mint and Metaplex metadata, or `create_v2` with Token-2022. Default v2. */
  readonly version?: 'create' | 'create_v2';
}

export interface PlannedPumpLaunch extends PlannedLaunch {
  readonly curve: PumpCurve;
  readonly migratedPool: PumpAmmPool;
}

/** Plans a pump.fun launch. Nothing stands on chain before `create` lands. */
export function planPumpLaunch(
  context: VenueContext,
  creator: Address,
  text: TokenText,
  { version = 'create_v2' }: PumpLaunchOptions = {},
): PlannedPumpLaunch {
  const { keyring, tokenAccounts } = context;
  const mint = keyring.wallet();
  const tokenProgram = version === 'create' ? SPL_TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
  const curve = curveOf(context, creator, mint, tokenProgram);
  const pool = migratedPoolOf(context, creator, mint);
  const creation = { curve, text, tokenAccounts };
  const metadata = version === 'create' ? metadataOf(keyring, mint) : null;
  return {
    text,
    mint,
    creator,
    curve,
    migratedPool: pool,
    createSigners: [mint],
    create(execution) {
      if (metadata === null) createToken2022(execution, creation);
      else createClassic(execution, creation, metadata);
    },
    isComplete: (ledger) => curve.state(ledger)?.isComplete === true,
    migrate: (execution, caller) => migrateCurve(execution, { curve, pool, tokenAccounts }, caller),
  };
}

function metadataOf(keyring: Keyring, mint: Address): Address {
  const program = METAPLEX_METADATA_PROGRAM;
  return keyring.derived(program, 'metadata', bytesOf(program), bytesOf(mint));
}

function curveOf(
  { keyring, tokenAccounts }: VenueContext,
  creator: Address,
  mint: Address,
  tokenProgram: Address,
): PumpCurve {
  const { program } = PUMP;
  const accounts = {
    mint,
    tokenProgram,
    creator,
    curve: keyring.derived(program, 'bonding-curve', bytesOf(mint)),
    curveV2: keyring.derived(program, 'bonding-curve-v2', bytesOf(mint)),
    creatorVault: keyring.derived(program, 'creator-vault', bytesOf(creator)),
  };
  return new PumpCurve(accounts, tokenAccounts);
}

/** The canonical pool: its creator is the pool authority of the mint, its index zero. */
function migratedPoolOf(context: VenueContext, creator: Address, mint: Address): PumpAmmPool {
  const authority = context.keyring.derived(PUMP.program, 'pool-authority', bytesOf(mint));
  const addresses = poolAddresses(context, {
    index: 0,
    creator: authority,
    baseMint: mint,
    quoteMint: WRAPPED_SOL,
    coinCreator: creator,
    isCanonical: true,
  });
  return new PumpAmmPool(addresses, context.tokenAccounts);
}
