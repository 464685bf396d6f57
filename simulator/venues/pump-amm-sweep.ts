import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { type AccountUse, paying, readOnly, writable } from '../chain/account-use.ts';
import type { Execution } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import { ensureTokenAccount, type TokenAccounts } from '../programs/associated-token.ts';
import { transferTokensChecked } from '../programs/token.ts';
import { poolSweepEvent } from './pump-amm-events.ts';
import type { PumpAmmPool } from './pump-amm-pool.ts';
import { openPoolState } from './pump-amm-state.ts';
import type { FeeBucket } from './pump-events.ts';
import { emitPumpEvent, feeRecipientOf, PUMP_AMM } from './pump-program.ts';
import { SWEEPS } from './pump-sweep.ts';

/**
 * `sweep_protocol_fee` or `sweep_creator_fee` of a pool: pays the kept fees out of the quote vault,
 * to a fee recipient or the creator's vault. The virtual quote rises by the same amount, which
 * keeps the price unchanged. Anyone may call it, even without any fees.
 */
export function sweepPool(
  execution: Execution,
  pool: PumpAmmPool,
  tokenAccounts: TokenAccounts,
  { payer, bucket }: { readonly payer: Address; readonly bucket: FeeBucket },
): void {
  const { addresses, quoteMint, baseMint, venue } = pool;
  const recipient = bucket === 'protocol' ? feeRecipientOf(execution) : addresses.coinCreatorVault;
  const { discriminator, logged } = SWEEPS[bucket];
  const uses = usesOf(execution, pool, tokenAccounts, payer, recipient);
  const data = new InstructionBytes().hex(discriminator).done();
  execution.invoke(PUMP_AMM.program, uses, data, () => {
    execution.log(`Instruction: ${logged}`);
    const state = openPoolState(execution.ledger, pool.pool);
    const amountRaw = bucket === 'protocol' ? state.protocolFeesRaw : state.creatorFeesRaw;
    const to = ensureTokenAccount(execution, tokenAccounts, payer, recipient, quoteMint);
    if (amountRaw > 0n) {
      const from = addresses.quoteVault;
      transferTokensChecked(execution, { from, to, authority: pool.pool, amountRaw });
    }
    const emptied = bucket === 'protocol' ? { protocolFeesRaw: 0n } : { creatorFeesRaw: 0n };
    execution.change(pool.pool, { state: { ...state, ...emptied } });
    const { unixTime } = execution.clock;
    const fields = { unixTime, pool: pool.pool, baseMint, quoteMint, recipient, payer };
    emitPumpEvent(execution, PUMP_AMM, poolSweepEvent({ ...fields, amountRaw, bucket }));
    const fees = { mint: quoteMint, bucket, amountRaw, poolDeltaRaw: -amountRaw };
    execution.report({ kind: 'feeSweep', venue, pool: pool.pool, ...fees });
  });
}

/** IDL order. */
function usesOf(
  { ledger }: Execution,
  { addresses, quoteMint, pool }: PumpAmmPool,
  tokenAccounts: TokenAccounts,
  payer: Address,
  recipient: Address,
): readonly AccountUse[] {
  return [
    paying(payer),
    readOnly(PUMP_AMM.globalConfig),
    writable(pool),
    readOnly(quoteMint),
    readOnly(ledger.get(quoteMint).program),
    writable(addresses.quoteVault),
    readOnly(recipient),
    writable(tokenAccounts.of(recipient, quoteMint)),
    readOnly(SYSTEM_PROGRAM),
    readOnly(ASSOCIATED_TOKEN_PROGRAM),
    readOnly(PUMP_AMM.eventAuthority),
    readOnly(PUMP_AMM.program),
  ];
}
