import {
  METAPLEX_METADATA_PROGRAM,
  SPL_TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { bytesOf, type Keyring } from '../chain/keyring.ts';
import type { TokenText } from '../programs/token-text.ts';
import type { PlannedLaunch, VenueContext } from './launchpad.ts';
import { poolAddresses } from './pump-amm-accounts.ts';
import { PumpAmmPool } from './pump-amm-pool.ts';
import { createClassic, createToken2022 } from './pump-create.ts';
import { PumpCurve } from './pump-curve.ts';
import { migrateCurve, migrateCurveBoosted } from './pump-migrate.ts';
import { PUMP, PUMP_FEES_PROGRAM } from './pump-program.ts';
import { type CurveQuote, mintOfQuote } from './pump-quote.ts';

export interface PumpLaunchOptions {
  /**
   * `create` with a classic mint and Metaplex metadata, or `create_v2` with Token-2022. Default v2.
   */
  readonly version?: 'create' | 'create_v2';
  /** The quote of the curve; only `create_v2` supports others than lamports. Default lamports. */
  readonly quote?: CurveQuote | null;
  /** The coin's own rate of creator fees: only if it is not quoted in SOL. */
  readonly creatorBps?: bigint | null;
  /** Creator fees go to holders. Only `create_v2`. */
  readonly isHolderReward?: boolean;
  /** `migrate_v2` sets quote aside for buybacks. Default `migrate`, which only supports SOL. */
  readonly migration?: 'migrate' | 'migrate_v2';
}

export interface PlannedPumpLaunch extends PlannedLaunch {
  readonly curve: PumpCurve;
  readonly migratedPool: PumpAmmPool;
}

/** Plans a pump.fun launch. Nothing exists on chain before `create` lands. */
export function planPumpLaunch(
  context: VenueContext,
  creator: Address,
  text: TokenText,
  options: PumpLaunchOptions = {},
): PlannedPumpLaunch {
  const { keyring, tokenAccounts } = context;
  const { version = 'create_v2', quote = null, migration = 'migrate' } = options;
  const mint = keyring.wallet();
  const curve = curveOf(context, creator, mint, options);
  const pool = migratedPoolOf(context, curve);
  const creation = { curve, text, tokenAccounts, quote };
  const metadata = version === 'create' ? metadataOf(keyring, mint) : null;
  const migrate = migration === 'migrate' ? migrateCurve : migrateCurveBoosted;
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
    migrate: (execution, caller) => migrate(execution, { curve, pool, tokenAccounts }, caller),
  };
}

function metadataOf(keyring: Keyring, mint: Address): Address {
  const program = METAPLEX_METADATA_PROGRAM;
  return keyring.derived(program, 'metadata', bytesOf(program), bytesOf(mint));
}

function curveOf(
  context: VenueContext,
  launcher: Address,
  mint: Address,
  options: PumpLaunchOptions,
): PumpCurve {
  const { version, quote = null, creatorBps = null, isHolderReward = false } = options;
  const { keyring } = context;
  const { program } = PUMP;
  const tokenProgram = version === 'create' ? SPL_TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
  const creator = isHolderReward
    ? keyring.derived(program, 'holder-rewards', bytesOf(mint))
    : launcher;
  const accounts = {
    mint,
    tokenProgram,
    launcher,
    creator,
    curve: keyring.derived(program, 'bonding-curve', bytesOf(mint)),
    curveV2: keyring.derived(program, 'bonding-curve-v2', bytesOf(mint)),
    creatorVault: keyring.derived(program, 'creator-vault', bytesOf(creator)),
    sharingConfig: keyring.derived(PUMP_FEES_PROGRAM, 'sharing-config', bytesOf(mint)),
    quoteMint: mintOfQuote(quote),
  };
  const depth = quote?.kind === 'coin' ? quote.curve.terms.depth + 1 : 0;
  return new PumpCurve(accounts, context, { creatorBps, isHolderReward, depth });
}

/** The canonical pool: its creator is the pool authority of the mint, its index zero. */
function migratedPoolOf(context: VenueContext, curve: PumpCurve): PumpAmmPool {
  const { baseMint, quoteMint, accounts, terms } = curve;
  const authority = context.keyring.derived(PUMP.program, 'pool-authority', bytesOf(baseMint));
  const addresses = poolAddresses(context, {
    index: 0,
    creator: authority,
    baseMint,
    quoteMint,
    coinCreator: accounts.creator,
    isCanonical: true,
    curve: curve.pool,
    ownCreatorBps: poolRate(curve),
    isHolderReward: terms.isHolderReward,
  });
  return new PumpAmmPool(addresses, context);
}

/** The schedule by market capitalisation is in SOL. */
function poolRate({ takesLamports, fees, terms }: PumpCurve): bigint | null {
  return takesLamports ? terms.creatorBps : fees.creatorBps;
}
