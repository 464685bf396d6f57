import { checkFraud } from './check-fraud.ts';
import { compareWallets } from './compare-wallets.ts';
import { dataStatus } from './data-status.ts';
import { explainToken } from './explain-token.ts';
import { explainWallet } from './explain-wallet.ts';
import { recentChanges } from './recent-changes.ts';
import { search } from './search.ts';
import { signals } from './signals.ts';
import { tokenHolders } from './token-holders.ts';
import { tokenPosts } from './token-posts.ts';
import type { Tool } from './tool.ts';
import { verifyFinding } from './verify-finding.ts';

/** All tools, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  search,
  explainToken,
  checkFraud,
  verifyFinding,
  tokenHolders,
  explainWallet,
  compareWallets,
  recentChanges,
  signals,
  tokenPosts,
  dataStatus,
];
