import type { StormService } from './storm-service.ts';

/** Requests of one webhook that may be open when its deliveries pass to another process. */
export const IN_FLIGHT_MAX = 4;
const PER_PAGE = 100;

/** The part of the answer that is asked for. */
export interface WireDelivery {
  readonly id: string;
  readonly state: string;
}

/** Everything that a replica has queued for its only webhook. */
export async function queuedDeliveries(fold: StormService): Promise<readonly WireDelivery[]> {
  const { webhooks } = JSON.parse((await fold.get('/v1/webhooks')).text);
  const deliveries: WireDelivery[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const path = `/v1/webhooks/${webhooks[0]?.id}/deliveries?page=${page}&per_page=${PER_PAGE}`;
    const answer = JSON.parse((await fold.get(path)).text);
    deliveries.push(...answer.deliveries);
    pages = answer.pages;
  }
  return deliveries;
}
