/** POST /v1/batch/wallets: holdings and classification of several wallets (CONTRACT §4). */
import type { WalletRecord } from '../../../model/wallet-record.ts';
import { setFreshness } from '../../present/freshness.ts';
import { WalletBody } from '../../present/wallet-body.ts';
import { batchRoute } from '../../requests/batch-route.ts';

export const batchWalletsRoute = batchRoute<WalletRecord>({
  name: 'wallets',
  operationId: 'batchWallets',
  summary: 'Retrieve several wallets',
  description: 'Returns for each wallet what /v1/wallets/{address} does.',
  tag: 'wallets',
  addresses: 'wallet',
  item: WalletBody.schema,
  read: async (deps, addresses, reply) => {
    const read = await deps.batches.wallets(addresses);
    setFreshness(reply, deps, {}, read);
    return { found: read.data, present: (wallet) => WalletBody.present(wallet) };
  },
});
