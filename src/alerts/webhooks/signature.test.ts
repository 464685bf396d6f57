import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { newSecret, signatureOf, webhookHeaders } from './signature.ts';

/** The test vector of the Standard Webhooks libraries. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

test('a message is signed as in the published test vector', () => {
  expect(signatureOf(VECTOR.message, [VECTOR.secret])).toBe(VECTOR.signature);
});

test('two valid secrets give two signatures, the newest first', () => {
  const other = newSecret();
  const [first, second, ...more] = signatureOf(VECTOR.message, [other, VECTOR.secret]).split(' ');
  const key = Buffer.from(other.replace('whsec_', ''), 'base64');
  const signed = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';
  expect(first).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  expect([second, more]).toEqual([VECTOR.signature, []]);
});

test('the headers are those of the standard and include the content type', () => {
  expect(webhookHeaders(VECTOR.message, [VECTOR.secret])).toEqual({
    'content-type': 'application/json',
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': VECTOR.signature,
  });
});

test('a new secret has 32 unique bytes', () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64').length).toBe(32);
  }
});
