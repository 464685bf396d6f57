import type { CurveComplete, Launch, Migrate } from '../../model/chain-event.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { Swap } from '../../model/swap.ts';
import { type Address, asRawAmount } from '../../model/units.ts';
import { events } from './decoder.ts';
import { mintedSupply } from './minted-supply.ts';
import { type InstructionReader, type ProgramCall, withAllAccounts } from './program-decoder.ts';
import { startingReserves } from './starting-reserves.ts';
import { reservesOf } from './swap-legs.ts';

/** The accounts of a launch by the names that its layout has for them. */
export interface LaunchRoles<Accounts extends string> {
  readonly mint: Accounts;
  readonly pool: Accounts;
  readonly tokenProgram: Accounts;
  readonly baseVault: Accounts;
  /** Null: the curve holds SOL as lamports. */
  readonly quote: { readonly mint: Accounts; readonly vault: Accounts } | null;
}

/** A launch by the account `creator`. */
export function launch<const Accounts extends string>(
  roles: LaunchRoles<Accounts> & { readonly creator: Accounts },
): InstructionReader<Accounts> {
  return withAllAccounts((call: ProgramCall<Accounts>) =>
    events(toLaunch(call, roles, call.view.transaction.keys.at(call.at[roles.creator]))),
  );
}

/** The event of a launch whose accounts are all present. */
export function toLaunch<const Accounts extends string>(
  { name, at, instruction, view }: ProgramCall<Accounts>,
  { quote, ...roles }: LaunchRoles<Accounts>,
  creator: Address,
): Launch {
  const { keys } = view.transaction;
  const mint = keys.at(at[roles.mint]);
  const baseVault = at[roles.baseVault];
  return {
    kind: 'launch',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: name,
    mint,
    quoteMint: quote === null ? WRAPPED_SOL : keys.at(at[quote.mint]),
    pool: keys.at(at[roles.pool]),
    creator,
    tokenProgram: keys.at(at[roles.tokenProgram]),
    supply: mintedSupply(view, instruction, mint),
    reserves:
      quote === null
        ? startingReserves(view, instruction, baseVault)
        : reservesOf(view, instruction, baseVault, at[quote.vault]),
  };
}

/** The end of a curve, by an instruction that names it. */
export function toCurveComplete(
  { name, instruction, view }: ProgramCall<never>,
  at: Readonly<Record<'mint' | 'pool', number>>,
): CurveComplete {
  return {
    kind: 'curveComplete',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: name,
    mint: view.transaction.keys.at(at.mint),
    pool: view.transaction.keys.at(at.pool),
  };
}

/** The end of a curve by this trade, its last. */
export function completedBy({
  outerIx,
  innerIx,
  venue,
  baseMint: mint,
  pool,
}: Pick<Swap, 'outerIx' | 'innerIx' | 'venue' | 'baseMint' | 'pool'>): CurveComplete {
  return { kind: 'curveComplete', outerIx, innerIx, venue, mint, pool };
}

/** A curve's tokens moved to a pool. */
export function toMigrate(
  { name, instruction }: ProgramCall<never>,
  curve: Readonly<Pick<Migrate, 'mint' | 'fromPool' | 'toPool'>>,
  amounts: { readonly base: bigint; readonly quote: bigint },
): Migrate {
  return {
    kind: 'migrate',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: name,
    ...curve,
    baseRaw: asRawAmount(amounts.base),
    quoteRaw: asRawAmount(amounts.quote),
  };
}
