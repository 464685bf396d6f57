import { describe, expect, test } from 'vitest';
import { newSecret, webhookHeaders } from '../../../src/alerts/webhooks/signature.ts';
import { WebhookError } from './errors.ts';
import { verifyWebhook } from './webhook.ts';

const NOW_MS = 1_760_000_000_000;
const SECRET = newSecret();
const BODY = '{"type":"ping","timestamp":"2025-01-15T14:32:08.000Z","data":{"webhook_id":"é"}}';

function sent(secrets: readonly string[] = [SECRET], skewSeconds = 0, body = BODY) {
  const timestamp = NOW_MS / 1_000 + skewSeconds;
  return { headers: webhookHeaders({ id: 'event-1', timestamp, body }, secrets), body };
}

async function faultOf(request: Parameters<typeof verifyWebhook>[0]): Promise<unknown> {
  const result = await verifyWebhook({ nowMs: NOW_MS, ...request }).catch((error) => error);
  return result instanceof WebhookError ? result.fault : result;
}

describe('a delivery of a webhook', () => {
  test('is taken as the service signs it, from text and from bytes', async () => {
    const { headers, body } = sent();
    const expected = { id: 'event-1', sentAtMs: NOW_MS, event: JSON.parse(BODY) };
    const request = { secret: SECRET, headers, nowMs: NOW_MS };
    expect(await verifyWebhook({ ...request, body })).toEqual(expected);
    expect(await verifyWebhook({ ...request, body: new TextEncoder().encode(body) })).toEqual(
      expected,
    );
    expect(await verifyWebhook({ ...request, headers: new Headers(headers), body })).toEqual(
      expected,
    );
  });

  test('is taken with the example of Standard Webhooks', async () => {
    // https://github.com/standard-webhooks/standard-webhooks, its test vector.
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = '{"test": 2432232314}';
    // The signature is right; only what it signs is no event.
    expect(await faultOf({ secret, headers, body, nowMs: 1_614_265_330_000 })).toBe('body');
    expect(await faultOf({ secret, headers, body: `${body} `, nowMs: 1_614_265_330_000 })).toBe(
      'signature',
    );
  });

  test('is taken while the secret is rotated, with either one', async () => {
    const next = newSecret();
    expect(await faultOf({ secret: next, ...sent([next, SECRET]) })).toHaveProperty('id');
    expect(await faultOf({ secret: SECRET, ...sent([next, SECRET]) })).toHaveProperty('id');
    expect(await faultOf({ secret: [next, SECRET], ...sent() })).toHaveProperty('id');
  });

  test.each([
    [-301, 'too-old'],
    [301, 'too-new'],
  ])('is refused with a clock that differs by %i s', async (skew, fault) => {
    expect(await faultOf({ secret: SECRET, ...sent([SECRET], skew) })).toBe(fault);
    const near = sent([SECRET], skew - Math.sign(skew));
    expect(await faultOf({ secret: SECRET, ...near })).toHaveProperty('id');
    const wide = { secret: SECRET, ...sent([SECRET], skew), toleranceSeconds: 600 };
    expect(await faultOf(wide)).toHaveProperty('id');
  });

  test('is refused with another secret, body, id or time than was signed', async () => {
    const { headers, body } = sent();
    expect(await faultOf({ secret: newSecret(), headers, body })).toBe('signature');
    expect(await faultOf({ secret: SECRET, headers, body: body.replace('é', 'e') })).toBe(
      'signature',
    );
    for (const [name, value] of [
      ['webhook-id', 'event-2'],
      ['webhook-timestamp', String(NOW_MS / 1_000 + 1)],
      ['webhook-signature', 'v1,AAAA'],
      ['webhook-signature', 'v1,not base64 at all'],
      ['webhook-signature', `v2,${headers['webhook-signature']?.slice(3)}`],
    ] as const) {
      expect(await faultOf({ secret: SECRET, headers: { ...headers, [name]: value }, body })).toBe(
        'signature',
      );
    }
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'is refused without %s',
    async (name) => {
      const { headers, body } = sent();
      const without = { ...headers, [name]: undefined };
      expect(await faultOf({ secret: SECRET, headers: without, body })).toBe('headers');
    },
  );

  test.each(['', 'whsec_', 'secret', 'whsec_***'])('says that %j is no secret', async (secret) => {
    expect(await faultOf({ secret, ...sent() })).toBe('secret');
  });
});
