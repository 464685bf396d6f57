import { useMemo } from 'preact/hooks';
import { useRead } from '../../../state/use-read.ts';
import type { Subject } from '../token-types.ts';
import { type BundleItem, eventsOf, type TokenEvent } from './events.ts';

const EVERY_MS = 20_000;
/** Signals are listed for all tokens: those of this one are taken out of the newest. */
const SIGNALS_MAX = 2_000;

/** Events of a token for its chart, newest first. */
export function useEvents({
  mint,
  pools,
  findings,
  body,
  ruleHits,
}: Subject): readonly TokenEvent[] {
  const bundles = useRead(
    '/v1/market/bundled-transactions',
    { token_address: mint, group: 'true', per_page: 100 },
    { everyMs: EVERY_MS },
  );
  const signals = useRead(
    '/v1/signals',
    { from_date: body.token.created_at ?? '2020-01-01', limit: SIGNALS_MAX },
    { everyMs: EVERY_MS },
  );
  const events = eventsOf(mint, {
    pools,
    findings: findings ?? [],
    bundles: (bundles.body?.items ?? []).filter((item): item is BundleItem => 'members' in item),
    hits: (ruleHits.rows ?? []).filter(({ isUndone }) => !isUndone).map(({ item }) => item),
    signals: (signals.body?.signals ?? []).filter(({ token_address }) => token_address === mint),
  });
  const key = JSON.stringify(events);
  return useMemo(() => events, [key]);
}
