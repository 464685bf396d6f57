import { expect, test } from 'vitest';
import { concat, hex, u64 } from '../../../tests/support/borsh-bytes.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { boughtFrom } from '../../../tests/support/pool-events.ts';
import { SALE } from '../../../tests/support/pool-legs.ts';
import {
  accountList,
  decodeDraft,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { clmmLayout } from '../families/clmm-layout.ts';
import { pancakeswapClmm } from './pancakeswap-clmm.ts';

test("a PancakeSwap swap is read by Raydium's interface", () => {
  const named = { 3: 'user base', 4: 'user sol', 5: 'base vault', 6: 'quote vault' };
  const swap = {
    program: pancakeswapClmm.programId,
    accounts: accountList(13, { 0: 'wallet', 2: 'pool', ...named }),
    data: concat(hex(clmmLayout.instructions.swap.discriminator), u64(1n), u64(2n)),
    inner: SALE.legs,
  };
  const { events } = decodeDraft({
    instructions: [swap],
    tokenBalances: vaultBalances({ base: [60n, 100n], quote: [130n, 100n] }),
  });
  expect(events).toMatchObject([
    boughtFrom('pancakeswap_clmm', {
      side: 'sell',
      poolBaseDelta: 40n,
      poolQuoteDelta: -30n,
      traderBaseDelta: -40n,
      traderQuoteDelta: 30n,
      reserves: { base: 100n, quote: 100n },
    }),
  ]);
});

describeDecoderLaws('the PancakeSwap decoder', pancakeswapClmm, clmmLayout);
