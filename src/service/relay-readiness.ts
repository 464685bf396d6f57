import type { Readiness } from '../api/chain-status.ts';
import type { Replica } from '../relay/replica.ts';

/**
 * Whether a node can answer: one of its replicas does. Replicas that are not ready are asked while
 * there is no other, as a client would that knows only them.
 */
export function relayReadiness(replicas: readonly Pick<Replica, 'origin' | 'report'>[]): Readiness {
  const checks = Object.fromEntries(
    replicas.map(({ origin, report: { state, detail } }) => [
      origin,
      { ok: state === 'ready', detail },
    ]),
  );
  return { isReady: replicas.some(({ report }) => report.state !== 'silent'), checks };
}
