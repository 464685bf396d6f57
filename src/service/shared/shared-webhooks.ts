import { newSecret } from '../../alerts/webhooks/signature.ts';
import type { WebhookAddition, WebhookName, WebhookRequest } from '../../model/webhook.ts';
import type { WebhookTable } from '../../store/control/webhooks.ts';
import { OVERLAP_MS, type WebhookService } from '../alerts/webhook-service.ts';
import type { ControlWrites } from './control-writes.ts';

/** The webhooks of several replicas. Their deliveries are those of each replica. */
export function sharedWebhooks(
  service: WebhookService,
  stored: WebhookTable,
  control: ControlWrites,
) {
  const rowsOf = ({ webhookId }: WebhookName) => [
    { table: 'webhooks', where: { webhook_id: webhookId } },
  ];
  return {
    async add(request: WebhookRequest): Promise<WebhookAddition> {
      const reason = service.faultOf(request.url);
      if (reason !== null) return { kind: 'refused', reason };
      const secret = newSecret();
      const rows = [{ table: 'webhooks', where: { account_id: request.accountId } }];
      const webhook = await control.write(rows, () => stored.add(request, secret));
      if (webhook === null) return { kind: 'full', webhooksMax: stored.limits.webhooksMax };
      return { kind: 'done', webhook, secret };
    },
    remove: async (name: WebhookName) => control.write(rowsOf(name), () => stored.remove(name)),
    async rotate(name: WebhookName) {
      const secret = newSecret();
      const webhook = await control.write(rowsOf(name), () =>
        stored.rotate(name, secret, OVERLAP_MS),
      );
      return webhook === null ? null : { webhook, secret };
    },
    enable: async (name: WebhookName) => control.write(rowsOf(name), () => stored.enable(name)),
    list: service.list.bind(service),
    find: service.find.bind(service),
    test: service.test.bind(service),
    deliveries: service.deliveries.bind(service),
    redeliver: service.redeliver.bind(service),
  };
}
