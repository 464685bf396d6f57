import type { MetricFamilies } from '../api/http/metrics.ts';
import { exposeDrift } from '../ingestion/drift-metrics.ts';
import { DriftWatch } from '../ingestion/drift-watch.ts';
import type { TriggerEvent } from '../model/trigger.ts';
import type { VenueChange } from '../model/venue-change.ts';
import { exposeTriggers, openTriggerService } from './alerts/open-triggers.ts';
import { exposeWebhooks, openWebhookService, type WebhookOptions } from './alerts/open-webhooks.ts';
import type { TriggerService } from './alerts/trigger-service.ts';
import type { WebhookService } from './alerts/webhook-service.ts';
import type { Service } from './app.ts';
import { exposeDetectors } from './detectors/detector-metrics.ts';
import type { DetectorService } from './detectors/detector-service.ts';
import type { MarketService } from './market-service.ts';
import type { OpenGathering } from './open-gathering.ts';

/** Services with a stored state of their own, each of which is as of the end of the stored log. */
export interface Followers {
  readonly triggers: TriggerService;
  readonly webhooks: WebhookService;
  readonly drift: DriftWatch;
  readonly gathering: OpenGathering | null;
  readonly detectors: DetectorService;
}

export interface FollowerOptions extends WebhookOptions {
  readonly openGathering?: () => OpenGathering;
  readonly onVenueChange?: (change: VenueChange) => void;
}

/** What followers read, and where they publish. */
export interface FollowedBy {
  /** Must see all changes before they do. */
  readonly market: Pick<MarketService, 'ready'>;
  /** Receives trigger events that are stored. */
  readonly publish: (events: readonly TriggerEvent[]) => void;
}

/**
 * Opens them. The state must be that of the whole log, and they must see all later changes.
 */
export function openFollowers(
  service: Service,
  options: FollowerOptions,
  { market, publish }: FollowedBy,
): Followers {
  const webhooks = openWebhookService(service, options);
  const published = (events: readonly TriggerEvent[]) => {
    publish(events);
    webhooks.events.wakeTouched();
  };
  const triggers = openTriggerService(service, market, published, (events) =>
    webhooks.events.putTriggerEvents(events),
  );
  const drift = new DriftWatch(service.store, {
    put: (changes) => webhooks.events.putVenueChanges(changes),
    onChanges: (changes) => {
      webhooks.events.wakeTouched();
      for (const change of changes) options.onVenueChange?.(change);
    },
  });
  const gathering = options.openGathering?.() ?? null;
  return { triggers, webhooks, drift, gathering, detectors: service.detectors };
}

export function exposeFollowers(
  metrics: MetricFamilies,
  { triggers, webhooks, drift, gathering, detectors }: Followers,
): void {
  exposeDrift(metrics, drift);
  exposeTriggers(metrics, triggers);
  exposeWebhooks(metrics, webhooks);
  exposeDetectors(metrics, detectors);
  gathering?.expose(metrics);
}
