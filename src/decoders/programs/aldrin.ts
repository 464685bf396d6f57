/**
 * Aldrin's pools, programs AMM55Shd… and CURVGoZn…. The swap lists its curve after all accounts
 * that are read here. Account orders are those used by routers. Fees are minted as pool tokens.
 */
import type { Venue } from '../../model/program.ts';
import { swapOnlyDecoder } from '../legs/swap-only.ts';

export const aldrinV1 = aldrin('aldrin_v1', 'AMM55ShdkoGRB5jVYPjWziwk8m5MpwyDgsMWHaMSQWH6');
export const aldrinV2 = aldrin('aldrin_v2', 'CURVGoZn8zycx6FXwwevgBTB2gVvdbGTEpvMJDbgs2t4');

function aldrin(name: Venue, programId: string) {
  return swapOnlyDecoder({
    name,
    programId,
    swaps: [{ tag: 'f8c69e91e17587c8', pool: 0, vaults: [3, 4], user: 6, userAccounts: [7, 8] }],
    tagBytes: 8,
  });
}
