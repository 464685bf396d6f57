import type { Address } from '../../src/model/units.ts';
import { type Execution, MISSING_ACCOUNT, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import { ensureTokenAccount, type TokenAccounts } from '../programs/associated-token.ts';
import { transferTokensChecked } from '../programs/token.ts';
import type { PumpCurve } from './pump-curve.ts';
import { curveSweepUses } from './pump-curve-accounts.ts';
import { curveSweepEvent, type FeeBucket } from './pump-events.ts';
import { emitPumpEvent, feeRecipientOf, PUMP } from './pump-program.ts';

/** The same on both programs. */
export const SWEEPS: Readonly<Record<FeeBucket, { discriminator: string; logged: string }>> = {
  protocol: { discriminator: '0830be07b644b7e5', logged: 'SweepProtocolFee' },
  creator: { discriminator: '20f6bf3408c949ba', logged: 'SweepCreatorFee' },
};

/**
 * `sweep_protocol_fee` or `sweep_creator_fee`: pays out the fees kept on a curve, to a fee
 * recipient or the creator's vault. Anyone may call it, even on a migrated curve and without any
 * fees; reserves do not change.
 */
export function sweepCurve(
  execution: Execution,
  curve: PumpCurve,
  tokenAccounts: TokenAccounts,
  { payer, bucket }: { readonly payer: Address; readonly bucket: FeeBucket },
): void {
  const { ledger, clock } = execution;
  const { accounts, quoteMint, pool } = curve;
  const recipient = bucket === 'protocol' ? feeRecipientOf(execution) : accounts.creatorVault;
  const around = { tokenAccounts, quoteProgram: ledger.get(quoteMint).program };
  const uses = curveSweepUses(accounts, around, payer, recipient);
  const { discriminator, logged } = SWEEPS[bucket];
  execution.invoke(PUMP.program, uses, new InstructionBytes().hex(discriminator).done(), () => {
    execution.log(`Instruction: ${logged}`);
    const state = curve.state(ledger);
    if (state === null) throw new ProgramFailure(MISSING_ACCOUNT, 'AccountNotInitialized');
    const amountRaw = bucket === 'protocol' ? state.protocolFeesRaw : state.creatorFeesRaw;
    if (amountRaw > 0n) payOut(execution, curve, tokenAccounts, { payer, recipient, amountRaw });
    const emptied = bucket === 'protocol' ? { protocolFeesRaw: 0n } : { creatorFeesRaw: 0n };
    execution.change(pool, { state: { ...state, ...emptied } });
    const { isHolderReward } = curve.terms;
    const { mint, curve: address, creator } = accounts;
    const moment = { mint, curve: address, creator, quoteMint, isHolderReward };
    const event = curveSweepEvent(
      { ...moment, unixTime: clock.unixTime },
      recipient,
      amountRaw,
      bucket,
    );
    emitPumpEvent(execution, PUMP, event);
    const { venue } = curve;
    const mintOfFees = { mint: quoteMint, bucket, amountRaw, poolDeltaRaw: 0n };
    execution.report({ kind: 'feeSweep', venue, pool, ...mintOfFees });
  });
}

function payOut(
  execution: Execution,
  { pool, quoteMint, takesLamports }: PumpCurve,
  tokenAccounts: TokenAccounts,
  payment: { readonly payer: Address; readonly recipient: Address; readonly amountRaw: bigint },
): void {
  const { payer, recipient, amountRaw } = payment;
  if (takesLamports) {
    execution.moveLamports(pool, recipient, amountRaw);
    return;
  }
  const to = ensureTokenAccount(execution, tokenAccounts, payer, recipient, quoteMint);
  const from = tokenAccounts.of(pool, quoteMint);
  transferTokensChecked(execution, { from, to, authority: pool, amountRaw });
}
