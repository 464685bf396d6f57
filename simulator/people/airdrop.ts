import type { Address } from '../../src/model/units.ts';
import type { World } from '../market/world.ts';
import { ensureTokenAccount } from '../programs/associated-token.ts';
import { transferTokensChecked } from '../programs/token.ts';

/** Recipients per transaction, and the time between two transactions. */
const RECIPIENTS_PER_TRANSACTION = 8;
const EVERY_MS = 250;
const UNITS = { unitLimit: 400_000, priceMicroLamports: 20_000n } as const;

export interface Airdrop {
  readonly from: Address;
  readonly mint: Address;
  readonly recipients: readonly Address[];
  /** Per recipient. */
  readonly amountRaw: bigint;
  readonly onDone?: () => void;
}

/** Sends tokens to many recipients, a few per transaction, and pays for their token accounts. */
export function airdrop(world: World, drop: Airdrop): void {
  const { recipients, onDone } = drop;
  const batches: (readonly Address[])[] = [];
  for (let start = 0; start < recipients.length; start += RECIPIENTS_PER_TRANSACTION) {
    batches.push(recipients.slice(start, start + RECIPIENTS_PER_TRANSACTION));
  }
  batches.forEach((batch, index) => {
    const isLast = index === batches.length - 1;
    world.after(index * EVERY_MS, () => sendBatch(world, drop, batch, isLast ? onDone : undefined));
  });
}

function sendBatch(
  world: World,
  { from, mint, amountRaw }: Airdrop,
  batch: readonly Address[],
  onDone: (() => void) | undefined,
): void {
  const { tokenAccounts } = world;
  world.send({
    feePayer: from,
    computeBudget: UNITS,
    build(execution) {
      for (const recipient of batch) {
        const to = ensureTokenAccount(execution, tokenAccounts, from, recipient, mint);
        const source = tokenAccounts.of(from, mint);
        transferTokensChecked(execution, { from: source, to, authority: from, amountRaw });
      }
    },
    onLanded: () => onDone?.(),
  });
}
