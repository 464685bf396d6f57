import type { EventDraft } from '../../alerts/webhooks/webhook-event.ts';
import { formatInstant } from '../../api/present/format-wire.ts';
import { presentHit } from '../../api/present/present-rule.ts';
import { parseBigintJson, toBigintJson } from '../../lib/bigint-json.ts';
import type { SlotChanges } from '../../model/derived.ts';
import { OPERATOR } from '../../model/rule-change.ts';
import { type RuleHit, ruleIdOf } from '../../model/rule-hit.ts';
import { announcedHits, type RuleHitListing } from '../../model/rule-listing.ts';
import type { WebhookCandidate } from '../../store/control/webhook-candidates.ts';
import type { WebhookSubscribers } from './webhook-subscribers.ts';

const TYPE = 'rule.hit';

/** The account whose webhooks receive a hit; null for those of all accounts. */
function receiverOf({ author }: Pick<RuleHit, 'author'>): string | null {
  return author === OPERATOR ? null : author;
}

/** The hits of a slot that a webhook receives once the slot is final. */
export function hitCandidates(
  { slot, ruleHits, outcomes }: Pick<SlotChanges, 'slot' | 'ruleHits' | 'outcomes'>,
  subscribers: Pick<WebhookSubscribers, 'isWanted'>,
): WebhookCandidate[] {
  const wanted = ruleHits.filter((hit) => subscribers.isWanted(TYPE, receiverOf(hit)));
  return Array.from(announcedHits(wanted, outcomes), (hit) => ({
    slot,
    kind: 'hit',
    // A rule passes at most once for a pool in a slot.
    name: `${hit.author}/${ruleIdOf(hit)} ${hit.pool}`,
    content: toBigintJson(hit),
  }));
}

/** The event of a candidate, and the account that receives it; null for all accounts. */
export function hitEvent({ name, content }: Pick<WebhookCandidate, 'name' | 'content'>): {
  readonly accountId: string | null;
  readonly draft: EventDraft & { readonly type: typeof TYPE };
} {
  const hit = parseBigintJson(content) as RuleHitListing;
  return {
    accountId: receiverOf(hit),
    draft: {
      type: TYPE,
      name: `${name} ${hit.slot}`,
      timestamp: formatInstant(hit.createdAtMs),
      data: presentHit(hit, undefined),
    },
  };
}
