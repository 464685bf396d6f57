import { useEffect } from 'preact/hooks';
import { subscribe } from '../../api/stream.ts';
import { type Read, useRead } from '../../state/use-read.ts';
import { useTokenHits } from './rule-hits/use-token-hits.ts';
import type { Subject, TokenBody } from './token-types.ts';

const RECORD_EVERY_MS = 60_000;
const MARKET_EVERY_MS = 3_000;
const FINDINGS_EVERY_MS = 30_000;
const POOLS_MAX = 50;

/** Reads what the head and all tabs of the page need, and keeps it current. */
export function useSubject(mint: string): {
  readonly read: Read<TokenBody>;
  readonly subject: Subject | null;
  readonly reloadFindings: () => void;
} {
  const read = useRead(
    '/v1/token/{token_address}',
    { token_address: mint },
    { everyMs: RECORD_EVERY_MS },
  );
  const listed = useRead(
    '/v1/tokens',
    { search: mint, include: 'base_assets,lp_mints,nameless', limit: 1 },
    { everyMs: MARKET_EVERY_MS },
  );
  const pools = useRead(
    '/v1/pools',
    { token_address: mint, order_by: 'liquidity_usd', limit: POOLS_MAX },
    { everyMs: MARKET_EVERY_MS },
  );
  const findings = useRead(
    '/v1/fraud/classifications',
    { token_address: mint, order_by: 'confidence' },
    { everyMs: FINDINGS_EVERY_MS },
  );
  const ruleHits = useTokenHits(mint);
  const { reload } = findings;
  useEffect(
    () =>
      subscribe(
        'findings',
        { token_address: mint },
        {
          onItem: reload,
          onUndo: reload,
          onGap: reload,
        },
      ),
    [mint],
  );
  const subject =
    read.body === null
      ? null
      : {
          mint,
          body: read.body,
          listed: listed.body?.items.find(({ token_address }) => token_address === mint) ?? null,
          pools: pools.body?.items ?? [],
          findings: findings.body?.classifications ?? null,
          ruleHits,
        };
  return { read, subject, reloadFindings: reload };
}
